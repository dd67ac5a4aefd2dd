/**
 * The one way a payee changes: under its lock, with rail and payability resolved again, and with `payee.updated` recorded
 * in the same transaction when its onboarding state became another.
 */
import { Injectable } from '@nestjs/common';
import { Refusal, systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { type AccountState, MethodStore } from '../db/method.store';
import { PayeeStore } from '../db/payee.store';
import type { Method, Payee, Standing } from '../payee';
import { PayeeRouting } from '../payee-routing';
import { PayeeNews } from './payee-news';
import { PayeeTurns } from './payee-turns';

@Injectable()
export class ChangePayee {
  constructor(
    private readonly turns: PayeeTurns,
    private readonly payees: PayeeStore,
    private readonly methods: MethodStore,
    private readonly routing: PayeeRouting,
    private readonly news: PayeeNews,
  ) {}

  /** Locks the payee and makes it what `decide` says, in one transaction. */
  locked(client: Client, payeeId: string, decide: (before: Payee) => Promise<Payee> | Payee): Promise<Payee> {
    return this.turns.inTransaction(payeeId, async () => {
      const before = await this.payees.lock(client.id, payeeId);
      if (!before) throw new Refusal('payee_not_found');
      return this.apply(client, before, await decide(before));
    });
  }

  /** `before` is locked by the caller's transaction; `wanted` is what it should become, rail and payability aside. */
  async apply(client: Client, before: Payee, wanted: Payee): Promise<Payee> {
    const facts = await this.routing.facts(client, wanted);
    const resolved = this.routing.resolved(facts);
    const tells = !sameStanding(before, resolved);
    const saved = await this.payees.save({ ...resolved, eventSequence: wanted.eventSequence + (tells ? 1 : 0) });
    if (tells) await this.news.tell(facts.client, before, saved);
    if (isSomebodyElse(before, saved)) await this.news.warn(facts.client, before, saved);
    return saved;
  }

  /**
   * Writes the rail's answer about an account, and its consequences for the payee: none, if the payee adopted another account meanwhile, or
   * if a later answer came first. Other details alone are written to the payee's row too: by that, whoever confirmed where their money goes
   * is known to have seen what is so still (`PageWithdrawals`). null: nothing changed.
   */
  async ofAccount(
    client: Client,
    method: Pick<Method, 'id' | 'payeeId' | 'provider'>,
    account: AccountState,
    decide: (before: Payee) => Payee,
  ): Promise<Payee | null> {
    return this.turns.inTransaction(method.payeeId, async () => {
      const before = await this.payees.lock(client.id, method.payeeId);
      const set = before && (await this.methods.setPayable(method.id, account));
      if (!set) {
        if (before) await this.methods.askIfOtherwise(method.id, account.payable);
        return null;
      }
      // By how both stand now: what was known when the rail was asked may be old.
      const wanted = decide(before);
      const isNews = set.wasPayable !== account.payable || set.hasOtherDetails || differs(before, method, account);
      return isNews || !sameStanding(before, wanted) ? this.apply(client, before, wanted) : null;
    });
  }

  /** For tests, which speak of whatever account the payee has; part of a change that `locked` makes. */
  async setTestAccount(payeeId: string, payable: boolean): Promise<void> {
    const method = await this.methods.activeOf(payeeId);
    const askedAt = systemClock.now();
    if (method) await this.methods.setPayable(method.id, { payable, country: null, askedAt });
  }
}

/** The payee is paid over this account, and stands otherwise. */
const differs = (payee: Payee, { provider }: Pick<Method, 'provider'>, { payable }: AccountState): boolean =>
  payee.provider === provider && payee.payable !== payable;

/** Or at another address, by which they may be paid from now on, or were until a moment ago: no later change knows the old one. */
const isSomebodyElse = (before: Payee, after: Payee): boolean =>
  before.identityChangedAt?.getTime() !== after.identityChangedAt?.getTime() ||
  before.emailChangedAt?.getTime() !== after.emailChangedAt?.getTime();

function sameStanding(a: Standing, b: Standing): boolean {
  return (
    a.payable === b.payable &&
    a.kycStatus === b.kycStatus &&
    a.kycReason === b.kycReason &&
    a.onboardingStatus === b.onboardingStatus
  );
}
