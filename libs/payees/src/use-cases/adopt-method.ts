/**
 * Links a rail account that was verified elsewhere to a payee. What the caller says about it counts for nothing: the rail is
 * asked, outside of any transaction, and the payee's state is set from its answer.
 */
import { Injectable } from '@nestjs/common';
import { kycPath, newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { NOT_THERE } from '#libs/http-kit';
import { type AccountFact, TEST_RAIL } from '#libs/rail-kit';
import { RailCaller } from '#libs/rail-registry';
import { MethodStore } from '../db/method.store';
import { PayeeReads } from '../db/payee.reads';
import type { Method, Payee } from '../payee';
import { ChangePayee } from './change-payee';
import { CoolDown } from './cool-down';

export interface Adoption {
  method: Method;
  payee: Payee;
}

type ConfirmedAccount = Extract<AccountFact, { kind: 'account' }>;

@Injectable()
export class AdoptMethod {
  constructor(
    private readonly payees: PayeeReads,
    private readonly methods: MethodStore,
    private readonly rails: RailCaller,
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
    const askedAt = this.rails.askedAt();
    const confirmed = await this.confirmed(client, account);
    return this.link(client, payeeId, { ...account, askedAt }, confirmed);
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

  /** In test mode every account is read from the test rail, whatever rail is named. */
  private async confirmed(
    client: Client,
    account: { provider: string; providerAccountId: string },
  ): Promise<ConfirmedAccount> {
    const fact = await this.rails.readAccount(
      client.testMode ? TEST_RAIL : account.provider,
      account.providerAccountId,
    );
    if (fact.kind === 'account') return fact;
    throw new Refusal(
      'account_unverifiable',
      'The rail cannot confirm this account. Check the id, or try again later.',
    );
  }

  private async link(
    client: Client,
    payeeId: string,
    account: { provider: string; providerAccountId: string; askedAt: Date },
    confirmed: ConfirmedAccount,
  ): Promise<Adoption> {
    const link = { id: newId(), clientId: client.id, payeeId, ...account, testMode: client.testMode };
    let method: Method | null = null;
    const payee = await this.change.locked(client, payeeId, async (before) => {
      // It may have changed while the rail was asked.
      await this.refuseWhileCooling(client, before, account);
      method = await this.methods.activate({ ...link, payable: confirmed.payable, accountCountry: confirmed.country });
      if (!method) throw alreadyLinked();
      return standingAfter(before, confirmed);
    });
    if (!method) throw alreadyLinked();
    return { method, payee };
  }
}

/** A payable account is a verified one; otherwise the payee's identity check stands where legal steps from here lead. */
function standingAfter(before: Payee, account: ConfirmedAccount): Payee {
  const known = account.payable || kycPath(before.kycStatus, account.kyc).length > 0;
  const kycStatus = account.payable ? 'verified' : known ? account.kyc : before.kycStatus;
  const kycReason = kycStatus === 'rejected' ? account.kycReason : null;
  return { ...before, kycStatus, kycReason, onboardingStatus: account.onboarding };
}

const alreadyLinked = (): Refusal => new Refusal('account_already_linked', 'This account belongs to another payee.');
