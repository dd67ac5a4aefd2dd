/** Makes the test rail do what a test wants next; the payout then learns of it the way it learns of everything. */
import { Injectable } from '@nestjs/common';
import { IllegalTransition, invalidField, type PayoutStatus, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { troubleOf } from '#libs/db';
import { destinationOf, legForPayee, type Payout } from '#libs/payout-rules';
import { AskRail, BeginLeg, CheckPayee, PayoutReads } from '#libs/payouts';
import { type OutcomeFact, takesDirection } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { log } from '#libs/telemetry';

/** A rail can only be directed about a payout it has: one under way, or one it paid. */
const DIRECTED_FROM = {
  claim: 'submitted',
  settle: 'submitted',
  refuse: 'submitted',
  bounce: 'paid',
} as const satisfies Record<string, PayoutStatus>;
/** For a test that does not care where. */
const SOME_ADDRESS = 'mock_wallet';

@Injectable()
export class DirectTestPayout {
  constructor(
    private readonly reads: PayoutReads,
    private readonly rails: Rails,
    private readonly asking: AskRail,
    private readonly beginning: BeginLeg,
    private readonly checks: CheckPayee,
  ) {}

  /** As its payee would: on the rail's own page, or by saying where it goes. */
  async claim(client: Client, payoutId: string, destination?: string): Promise<Payout> {
    const payout = await this.ofTest(client, payoutId);
    const isBegunHere = legForPayee(payout) !== null || destinationOf(payout) !== null;
    if (destination === undefined && !isBegunHere) return this.run(client, payoutId, 'claim', { kind: 'claimed' });
    if (legForPayee(payout)) await this.checkedOnTheWay(payout);
    return this.beginning.run(payout, destination ?? destinationOf(payout) ?? SOME_ADDRESS);
  }

  async run(client: Client, payoutId: string, on: keyof typeof DIRECTED_FROM, outcome: OutcomeFact): Promise<Payout> {
    const payout = await this.ofTest(client, payoutId);
    if (outcome.kind === 'bounced' && outcome.feeCents > payout.amountCents)
      throw invalidField('liftingFeeCents', 'must be at most the amount of the payout');
    const rail = this.rails.find(payout.provider)?.rail;
    if (payout.status !== DIRECTED_FROM[on] || !rail || !takesDirection(rail))
      throw new IllegalTransition(payout.status, on);
    await rail.direct(await this.asking.orderOf(payout), outcome).catch((error: Error) => {
      const trouble = troubleOf(error);
      if (trouble) throw trouble;
      // The rail's own record moved on meanwhile, or is not there yet: for the caller the payout is in another state.
      log.info({ event: 'test.not_directed', payoutId, error: error.message }, 'the test rail did not follow');
      throw new IllegalTransition(payout.status, on);
    });
    return this.asking.lookUp(payout);
  }

  /** A payout that waits for the answer, or was not let through, stays as it is. */
  private async checkedOnTheWay(payout: Payout): Promise<void> {
    const { kind } = await this.checks.standing(payout);
    if (kind === 'to_do') await this.checks.direct(payout, { kind: 'cleared' });
  }

  private async ofTest(client: Client, payoutId: string): Promise<Payout> {
    const payout = client.testMode ? await this.reads.findOf(client.id, payoutId) : null;
    if (!payout) throw new Refusal('payout_not_found');
    return payout;
  }
}
