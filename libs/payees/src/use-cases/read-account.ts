/** Asks a rail about the account a payee is paid over, outside of any transaction, and writes what follows from its answer. */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { TEST_RAIL } from '#libs/rail-kit';
import { RailCaller } from '#libs/rail-registry';
import { type KnownAccount, standingBy } from '../account-standing';
import type { Method } from '../payee';
import { ChangePayee } from './change-payee';

/** silent: what was known stands. */
export type AccountNews = 'changed' | 'same' | 'silent';

@Injectable()
export class ReadAccount {
  constructor(
    private readonly rails: RailCaller,
    private readonly change: ChangePayee,
  ) {}

  async run(client: Client, method: Method): Promise<AccountNews> {
    const { fact, askedAt } = await this.ask(client, method);
    if (fact.kind === 'unknown') return 'silent';
    const changed =
      fact.kind === 'account'
        ? await this.change.ofAccount(client, method, { ...fact, askedAt }, (before) => standingBy(fact, before))
        : await this.change.ofAccount(client, method, { ...GONE, askedAt }, (before) => before);
    return changed ? 'changed' : 'same';
  }

  /** The account of nobody yet; null if the rail does not confirm it. */
  async confirmed(
    client: Client,
    account: Pick<Method, 'provider' | 'providerAccountId'>,
  ): Promise<{ account: KnownAccount; askedAt: Date } | null> {
    const { fact, askedAt } = await this.ask(client, account);
    return fact.kind === 'account' ? { account: fact, askedAt } : null;
  }

  /** In test mode every account is read from the test rail, whatever rail is named. */
  private async ask(client: Client, account: Pick<Method, 'provider' | 'providerAccountId'>) {
    const askedAt = this.rails.askedAt();
    const rail = client.testMode ? TEST_RAIL : account.provider;
    return { fact: await this.rails.readAccount(rail, account.providerAccountId), askedAt };
  }
}

/** The rail has no such account, or not for us: nothing can be paid to it. Of who its owner is that says nothing. */
const GONE = { payable: false, country: null };
