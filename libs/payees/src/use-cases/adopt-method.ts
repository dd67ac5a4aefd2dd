/**
 * Links a rail account that was verified elsewhere to a payee. What the caller says about it counts for nothing: the rail is
 * asked, outside of any transaction, and the payee's state is set from its answer.
 */
import { Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { NOT_THERE } from '#libs/http-kit';
import { MethodStore } from '../db/method.store';
import { PayeeReads } from '../db/payee.reads';
import { type KnownAccount, standingBy } from '../account-standing';
import type { Method, Payee } from '../payee';
import { ChangePayee } from './change-payee';
import { CoolDown } from './cool-down';
import { ReadAccount } from './read-account';

export interface Adoption {
  method: Method;
  payee: Payee;
}

@Injectable()
export class AdoptMethod {
  constructor(
    private readonly payees: PayeeReads,
    private readonly methods: MethodStore,
    private readonly accounts: ReadAccount,
    private readonly change: ChangePayee,
    private readonly coolDown: CoolDown,
  ) {}

  async run(
    client: Client,
    payeeId: string,
    account: { provider: string; providerAccountId: string },
  ): Promise<Adoption> {
    const payee = await this.payees.find(client.id, payeeId);
    if (!payee) throw new Refusal('payee_not_found', NOT_THERE);
    await this.refuseWhileCooling(client, payee, account);
    const confirmed = await this.accounts.confirmed(client, account);
    if (!confirmed) throw unverifiable();
    const { askedAt } = confirmed;
    return this.link(client, payeeId, { ...account, askedAt }, confirmed.account);
  }

  /** What is repeated redirects no money. */
  private async refuseWhileCooling(
    client: Client,
    payee: Payee,
    { provider, providerAccountId }: { provider: string; providerAccountId: string },
  ): Promise<void> {
    const linked = await this.methods.byAccount(provider, providerAccountId, client.testMode);
    if (linked && linked.payeeId !== payee.id) throw alreadyLinked();
    if (linked?.status !== 'active') this.coolDown.refuseWhileCooling(client, payee);
  }

  private async link(
    client: Client,
    payeeId: string,
    account: { provider: string; providerAccountId: string; askedAt: Date },
    confirmed: KnownAccount,
  ): Promise<Adoption> {
    const link = { id: newId(), clientId: client.id, payeeId, ...account, testMode: client.testMode };
    let method: Method | null = null;
    const payee = await this.change.locked(client, payeeId, async (before) => {
      // It may have changed while the rail was asked.
      await this.refuseWhileCooling(client, before, account);
      method = await this.methods.activate({ ...link, payable: confirmed.payable, accountCountry: confirmed.country });
      if (!method) throw alreadyLinked();
      return standingBy(confirmed, before);
    });
    if (!method) throw alreadyLinked();
    return { method, payee };
  }
}

const alreadyLinked = (): Refusal => new Refusal('account_already_linked', 'This account belongs to another payee.');

const unverifiable = (): Refusal =>
  new Refusal('account_unverifiable', 'The rail cannot confirm this account. Check the id, or try again later.');
