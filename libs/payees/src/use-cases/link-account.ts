/** Makes an account that its rail confirmed the one its payee is paid over, if the payee may be redirected now. */
import { Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { RailPayee } from '#libs/rail-kit';
import { type KnownAccount, standingBy } from '../account-standing';
import { type ActiveMethod, MethodStore } from '../db/method.store';
import type { Method, Payee } from '../payee';
import { PayeeRouting } from '../payee-routing';
import { ChangePayee } from './change-payee';

export interface Linked {
  method: Method;
  payee: Payee;
}

export interface NamedAccount {
  provider: string;
  providerAccountId: string;
}

export interface ConfirmedAccount {
  account: KnownAccount;
  askedAt: Date;
}

@Injectable()
export class LinkAccount {
  constructor(
    private readonly methods: MethodStore,
    private readonly change: ChangePayee,
    private readonly routing: PayeeRouting,
  ) {}

  /** `overOthers`: also if the payee is paid over another one. Otherwise that one stays. `openedFor`: who it was opened for. */
  async run(
    client: Client,
    payeeId: string,
    named: NamedAccount,
    confirmed: ConfirmedAccount,
    { overOthers, openedFor }: { overOthers: boolean; openedFor?: RailPayee },
  ): Promise<Linked> {
    let method: Method | null = null;
    const payee = await this.change.locked(client, payeeId, async (before) => {
      const known = await this.methods.activeOf(payeeId);
      if (known && !overOthers) {
        method = known;
        return before;
      }
      // The payee may have changed while the rail was asked.
      if (openedFor && !isStillFor(before, openedFor)) throw new Refusal('service_unavailable', SOMEBODY_ELSES);
      await this.refuseWhileCooling(client, before, named);
      const active = await this.activate(client, payeeId, named, confirmed);
      method = active;
      // Who they are was told since, by the answer to a later question about the account that they had already.
      const isTold = known?.id === active.id && active.askedAt > confirmed.askedAt;
      return isTold ? before : standingBy(confirmed.account, before);
    });
    if (!method) throw alreadyLinked();
    return { method, payee };
  }

  /** Naming the same account again redirects no money. */
  async refuseWhileCooling(client: Client, payee: Payee, { provider, providerAccountId }: NamedAccount): Promise<void> {
    const linked = await this.methods.byAccount(provider, providerAccountId, client.testMode);
    if (linked && linked.payeeId !== payee.id) throw alreadyLinked();
    if (linked?.status !== 'active') await this.routing.refuseWhileCooling(client, payee);
  }

  private async activate(
    { id: clientId, testMode }: Client,
    payeeId: string,
    named: NamedAccount,
    { account, askedAt }: ConfirmedAccount,
  ): Promise<ActiveMethod> {
    const { payable, country: accountCountry, details = null } = account;
    const link = { id: newId(), clientId, payeeId, ...named, testMode };
    const method = await this.methods.activate({ ...link, payable, accountCountry, details, askedAt });
    if (!method) throw alreadyLinked();
    return method;
  }
}

/** Its provider writes to that address, and the account stands in that country. */
export const isStillFor = (payee: Payee, { email, country }: RailPayee): boolean =>
  (email === null || email === payee.email) && (country === null || country === payee.country);

const SOMEBODY_ELSES =
  'The payee changed while their account was opened, so it is not linked to them. Try again: another one is opened.';
const alreadyLinked = (): Refusal => new Refusal('account_already_linked', 'This account belongs to another payee.');
