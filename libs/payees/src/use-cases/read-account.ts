/** Asks a rail about the account a payee is paid over, outside of any transaction, and writes what follows from its answer. */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { TEST_RAIL } from '#libs/rail-kit';
import { AccountCaller } from '#libs/rail-registry';
import { standingBy } from '../account-standing';
import { MethodStore, type PaidAccount } from '../db/method.store';
import type { Method } from '../payee';
import { ChangePayee } from './change-payee';
import type { ConfirmedAccount } from './link-account';

/** silent: the rail could not tell. not_now: it was not asked, because it wants to be left alone. What was known stands in either case. */
export type AccountNews = 'changed' | 'same' | 'silent' | 'not_now';

@Injectable()
export class ReadAccount {
  constructor(
    private readonly rails: AccountCaller,
    private readonly change: ChangePayee,
    private readonly methods: MethodStore,
  ) {}

  async run(client: Client, method: Method): Promise<AccountNews> {
    const { fact, askedAt } = await this.ask(client, method);
    if (fact.kind === 'unknown') return 'silent';
    if (fact.kind === 'not_now') return 'not_now';
    const changed =
      fact.kind === 'account'
        ? await this.change.ofAccount(client, method, { ...fact, askedAt }, (before) => standingBy(fact, before))
        : await this.change.ofAccount(client, method, { ...GONE, askedAt }, (before) => before);
    return changed ? 'changed' : 'same';
  }

  /**
   * One that a payout still pays to, though its payee is paid over another by now: no schedule reads it again. What is said of it
   * is written to it alone.
   */
  async ofReplaced({ provider, accountId, payeeId, testMode }: PaidAccount): Promise<void> {
    if (provider === null || accountId === null) return;
    const method = await this.methods.byAccount(provider, accountId, testMode);
    if (method?.payeeId !== payeeId || method.status !== 'replaced') return;
    const { fact, askedAt } = await this.ask({ testMode }, method);
    if (fact.kind === 'unknown' || fact.kind === 'not_now') return;
    await this.methods.setReplaced(method.id, { ...(fact.kind === 'account' ? fact : GONE), askedAt });
  }

  /** A rail refused money for it: how it stands is asked soon, whenever its turn would have come. */
  async askSoon({ provider, accountId, payeeId }: PaidAccount): Promise<void> {
    if (provider && accountId) await this.methods.askSoon(payeeId, provider, accountId);
  }

  /** The account of nobody yet; null if the rail does not confirm it. */
  async confirmed(
    client: Client,
    account: Pick<Method, 'provider' | 'providerAccountId'>,
  ): Promise<ConfirmedAccount | null> {
    const { fact, askedAt } = await this.ask(client, account);
    return fact.kind === 'account' ? { account: fact, askedAt } : null;
  }

  /** In test mode every account is read from the test rail, whatever rail is named. */
  private async ask(client: Pick<Client, 'testMode'>, account: Pick<Method, 'provider' | 'providerAccountId'>) {
    let askedAt = this.rails.askedAt();
    const isPut = (): void => void (askedAt = this.rails.askedAt()); // it may wait for its turn until then
    const rail = client.testMode ? TEST_RAIL : account.provider;
    const fact = await this.rails.read(rail, account.providerAccountId, isPut);
    return { fact, askedAt };
  }
}

/** The rail has no such account, or not for us: nothing can be paid to it. Of who its owner is that says nothing. */
const GONE = { payable: false, country: null };
