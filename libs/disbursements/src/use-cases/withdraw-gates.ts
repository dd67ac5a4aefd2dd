/** Whether a payee's owed money may leave now: the client's policy, then the payee, then the amounts. */
import { Injectable } from '@nestjs/common';
import { MAX_AMOUNT_CENTS, Refusal } from '#libs/domain';
import type { Client, WithdrawLimits } from '#libs/clients';
import type { Owed, TakeLimits, TakenRows } from '#libs/owed';
import { CoolDown, type Payee } from '#libs/payees';
import type { Leave, OwedSight, ReleaseRule } from '#libs/payouts';
import { Rails } from '#libs/rail-registry';

export const WITHDRAW_SOURCES = ['withdraw', 'portal'] as const;
/** It was asked for: what leaves by itself is none. */
export const isWithdrawal = ({ source }: { source: string }): boolean =>
  WITHDRAW_SOURCES.some((known) => known === source);
export type WithdrawSource = (typeof WITHDRAW_SOURCES)[number];

/** Whether whoever asks is still who it is; asked with the payee locked, because rails may have taken their time. */
export type IsTheirs = (payee: Payee) => boolean;

@Injectable()
export class WithdrawGates {
  constructor(
    private readonly coolDown: CoolDown,
    private readonly rails: Rails,
  ) {}

  /**
   * Limits are compared currency by currency; what is outside of them stays owed, and one that is within goes out. A prepaid
   * client's amounts come first, and are certain only once its wallet covered them.
   */
  withdrawal(source: WithdrawSource, isTheirs: IsTheirs = () => true): ReleaseRule {
    return {
      intervalSeconds: (client) => limitsOf(client, source).minIntervalSeconds ?? 0,
      decide: (sight) => {
        if (!isTheirs(sight.payee)) throw new Refusal('illegal_transition', CHANGED);
        return this.decide(sight, source);
      },
      confirm: refuseIfOutside,
    };
  }

  /** The release that a rail does by itself: all of it, or nothing if the payee cannot be paid, or by a rail that waits to be asked. */
  readonly byItself: ReleaseRule = {
    intervalSeconds: () => 0,
    decide: ({ client, payee, owed }) =>
      leaveOf(this.leavesByItself(payee) && this.isOpenTo(client, payee) ? owed : [], NO_LIMITS),
    confirm: () => undefined,
  };

  leavesByItself({ provider }: Payee): boolean {
    return (this.rails.traits(provider)?.releasesOwed ?? 'on_withdraw') !== 'on_withdraw';
  }

  private decide({ client, payee, owed, waiting, secondsToNext }: OwedSight, source: WithdrawSource): Leave {
    const limits = takeLimits(client, source);
    if (client.status === 'closed') throw new Refusal('payer_not_found', 'The client is closed.');
    if (limitsOf(client, source).enabled === false)
      throw new Refusal('withdrawals_disabled', 'The client does not allow withdrawals.');
    if (!payee.payable)
      throw new Refusal('payee_not_payable', 'The payee cannot be paid yet; its readiness says what is missing.');
    if (!this.isOpenTo(client, payee)) throw new Refusal('payee_not_payable', COOLING);
    if (owed.length === 0)
      throw new Refusal('nothing_to_withdraw', waiting ? WAITING : 'Nothing is owed to the payee.');
    if (!client.prepaid) refuseOutside(owed, limits);
    const tooOften = secondsToNext > 0 ? tooSoon(secondsToNext) : null;
    if (tooOften && !client.prepaid) throw tooOften;
    return leaveOf(owed, limits, tooOften);
  }

  /** Owed money does not go to an address that was changed a short while ago. */
  isOpenTo(client: Client, payee: Payee): boolean {
    return payee.payable && !this.coolDown.isRedirected(client, payee);
  }

  waitsUntil(client: Client, payee: Payee): Date | null {
    return this.coolDown.isRedirected(client, payee) ? this.coolDown.redirectedUntil(client, payee) : null;
  }
}

const NO_LIMITS: TakeLimits = { minCents: 0, maxCents: Number.MAX_SAFE_INTEGER };

const leaveOf = (owed: Owed[], limits: TakeLimits, refusal: Refusal | null = null): Leave => ({
  currencies: owed.map(({ currency }) => currency),
  limits,
  refusal,
});

const tooSoon = (seconds: number): Refusal =>
  new Refusal('withdrawal_frequency_limited', `The payee can withdraw again in ${seconds} seconds.`);

const CHANGED = 'The payee changed just now. Read them, and try again.';
const COOLING = 'The e-mail address that the payee is paid by changed a short while ago. Try again later.';
const WAITING =
  'What is owed waits: its rail has to say first what became of an earlier payout of it. Try again later, or ask the operator.';

/** A source's own values win. */
export function limitsOf(
  { withdrawPolicy: { perSource, ...common } }: Pick<Client, 'withdrawPolicy'>,
  source: WithdrawSource,
): WithdrawLimits {
  return { ...common, ...perSource?.[source] };
}

/** Payees withdraw what they are owed themselves, from their wallets. */
export const letsWithdraw = (client: Pick<Client, 'withdrawPolicy'>): boolean =>
  limitsOf(client, 'portal').enabled !== false;

export function takeLimits(client: Client, source: WithdrawSource): TakeLimits {
  const { minCents = 0, maxCents = NO_LIMITS.maxCents } = limitsOf(client, source);
  return { minCents, maxCents };
}

/** What a wallet covers is known only once the rows are taken; all other limits are checked here, at once. */
function refuseOutside(owed: Owed[], { minCents, maxCents }: TakeLimits): void {
  const sums = owed.map(({ cents }) => Math.min(cents, MAX_AMOUNT_CENTS));
  const enough = sums.filter((cents) => cents >= minCents);
  if (enough.length === 0) throw belowMinimum(minCents);
  if (enough.every((cents) => cents > maxCents)) throw aboveMaximum(maxCents);
}

const belowMinimum = (minCents: number): Refusal =>
  new Refusal('below_minimum_withdrawal', `A withdrawal must be at least ${minCents} cents.`);

const aboveMaximum = (maxCents: number): Refusal =>
  new Refusal('above_maximum_withdrawal', `A withdrawal must be at most ${maxCents} cents.`);

/** More was pushed since it was looked at, or the wallet covers another sum. What waits for funds is no reason to refuse. */
function refuseIfOutside(all: TakenRows[], { limits: { minCents, maxCents }, refusal }: Leave): void {
  if (all.every(({ rows }) => rows === 0)) {
    if (all.some(({ outside }) => outside === 'above')) throw aboveMaximum(maxCents);
    if (all.every(({ left }) => left === 0) && all.some(({ outside }) => outside === 'below'))
      throw belowMinimum(minCents);
  }
  if (refusal) throw refusal;
}
