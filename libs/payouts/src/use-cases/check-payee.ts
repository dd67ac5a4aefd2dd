/**
 * Whether the payee of a payout may send on the money that waits for them, by what its rail and its client require now. Without a clear
 * answer nothing goes on.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { ClientRegistry } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { DirectedCheck, OnboardingLinkFact, OnboardingVisit, PayeeCheckFact } from '#libs/rail-kit';
import { PayeeCheckCaller } from '#libs/rail-registry';
import { AskRail } from './ask-rail';

/** `cannot`: their client asks for it, and the rail checks nobody: it was paid over it before that. */
export type PayeeStanding = PayeeCheckFact | { kind: 'cannot' };

@Injectable()
export class CheckPayee {
  constructor(
    private readonly clients: ClientRegistry,
    private readonly rail: AskRail,
    private readonly caller: PayeeCheckCaller,
  ) {}

  async standing(payout: Payout, { beforeSend = false } = {}): Promise<PayeeStanding> {
    const when = this.rail.traits(payout)?.checksPayees;
    if (when !== 'always' && !(await this.isAskedFor(payout))) return { kind: 'cleared' };
    if (when === undefined) return { kind: 'cannot' };
    return this.caller.check(payout.provider ?? '', await this.rail.orderOf(payout), { beforeSend });
  }

  async refuseUnlessCleared(payout: Payout): Promise<void> {
    const { kind } = await this.standing(payout);
    if (kind === 'unknown') throw new Refusal('service_unavailable', CANNOT_TELL);
    if (kind !== 'cleared') throw new Refusal('payee_not_checked', NOT_CHECKED);
  }

  /** Where they are checked: made for a click, handed on, and kept nowhere. */
  async link(payout: Payout, visit: OnboardingVisit): Promise<OnboardingLinkFact> {
    return this.caller.link(payout.provider ?? '', await this.rail.orderOf(payout), visit);
  }

  /** On a rail for tests. */
  async direct(payout: Payout, outcome: DirectedCheck): Promise<void> {
    await this.caller.direct(payout.provider ?? '', await this.rail.orderOf(payout), outcome);
  }

  /** By the stored setting, whichever process changed it a moment ago. If the client cannot be found, it counts as wanting checks. */
  private async isAskedFor({ clientId }: Payout): Promise<boolean> {
    return (await this.clients.stored(clientId))?.checksPayees ?? true;
  }
}

const CANNOT_TELL =
  'The rail cannot tell just now whether the payee was checked. Nothing was begun: try again in a while.';
const NOT_CHECKED =
  'The payee has to be checked before this money goes on: on the page of this payment, in their wallet.';
