/** Turns what a rail reported into a payout's steps. Unknown is no step: the payout stays submitted until somebody knows. */
import { Injectable } from '@nestjs/common';
import { type Clock, statusReason } from '#libs/domain';
import { InjectClock } from '#libs/auth';
import { Gatherer } from '#libs/gatherer';
import type { Bounced, LookupFact, Refused, Settled } from '#libs/rail-kit';
import { changeOf, type Payout, type PayoutChange, withFacts, withStep } from '../payout';
import { ChangePayout } from './change-payout';

interface Reported {
  payoutId: string;
  fact: LookupFact;
  /** Where the payout stood when the rail was asked. */
  sequence: number;
  by: 'submission' | 'lookup';
}

@Injectable()
export class ApplyRailFact {
  /** Facts that arrive together are applied in one transaction. */
  private readonly gatherer = new Gatherer<Reported, Payout>((reports) => this.applyAll(reports), {
    most: 64,
    atOnce: 2,
  });

  constructor(
    private readonly change: ChangePayout,
    @InjectClock() private readonly clock: Clock,
  ) {}

  /** `asked`: the payout as it stood when the rail was called. */
  run({ id, sequence }: Payout, fact: LookupFact, by: Reported['by']): Promise<Payout> {
    return this.gatherer.add({ payoutId: id, fact, sequence, by });
  }

  private async applyAll(reports: Reported[]): Promise<Payout[]> {
    const reportsOf = new Map<string, Reported[]>();
    for (const report of reports) reportsOf.set(report.payoutId, [...(reportsOf.get(report.payoutId) ?? []), report]);
    const now = this.clock.now();
    const payouts = await this.change.all([...reportsOf.keys()], (locked) =>
      locked.flatMap((payout) => changesOf(payout, reportsOf.get(payout.id) ?? [], now)),
    );
    const byId = new Map(payouts.map((payout) => [payout.id, payout]));
    return reports.map(({ payoutId }) => {
      const payout = byId.get(payoutId);
      if (!payout) throw new Error(`Payout ${payoutId} is gone.`);
      return payout;
    });
  }
}

function changesOf(payout: Payout, reports: Reported[], now: Date): PayoutChange[] {
  const unchanged = changeOf(payout);
  const change = reports.reduce((known, report) => changeFor(known, report, now) ?? known, unchanged);
  return change === unchanged ? [] : [change];
}

/**
 * A refusal ends only the try it was asked about: a late one may speak of an earlier try, and a lookup between the decision
 * to send again and the call certainly does. That money moved is true whenever it is heard.
 */
function speaksOfThisTry({ sequence, by }: Reported, payout: Payout): boolean {
  return sequence === payout.sequence && (by === 'submission' || !payout.toSend);
}

/** null where the fact says nothing new about a payout in this status: facts come twice, late and out of order. */
function changeFor(known: PayoutChange, report: Reported, now: Date): PayoutChange | null {
  const { fact } = report;
  if (known.after.status === 'paid') return fact.kind === 'bounced' ? bounced(known, fact) : null;
  const change = movedAfterAll(known, fact);
  const payout = change.after;
  if (payout.status !== 'submitted') return null;
  const sent = withFacts(change, { toSend: false });
  switch (fact.kind) {
    case 'settled':
      return settled(sent, fact);
    case 'refused':
      return speaksOfThisTry(report, payout) ? refused(sent, fact) : null;
    case 'bounced':
      // The settlement was missed; a payout that came back was paid first.
      return bounced(withStep(sent, { on: 'settle', actor: 'rail' }), fact);
    case 'accepted':
      if (payout.providerRef === fact.providerRef && !payout.toSend) return null;
      return withFacts(sent, { providerRef: fact.providerRef });
    case 'awaiting_payee':
      if (payout.claimUrl !== null) return null;
      return withStep(sent, {
        on: 'await_payee',
        actor: 'rail',
        facts: { providerRef: fact.providerRef, claimUrl: fact.claimUrl },
      });
    case 'claimed':
      if (payout.claimedAt !== null) return null;
      return withStep(sent, { on: 'claim', actor: 'payee', facts: { providerRef: fact.providerRef, claimedAt: now } });
    case 'unknown':
      return payout.toSend && report.by === 'submission' ? sent : null;
    case 'never_seen':
      return null;
  }
}

/** The rail paid what counted as failed or held for now: the payout goes on from where it was sent. */
function movedAfterAll(change: PayoutChange, fact: LookupFact): PayoutChange {
  const { status, failureKind, submittedAt, supersededBy } = change.after;
  // Its rows are on another payout by now; whoever compares the rail's movements with ours names the difference.
  if (supersededBy !== null) return change;
  if (submittedAt === null || (fact.kind !== 'settled' && fact.kind !== 'bounced')) return change;
  const facts = { toSend: false };
  if (status === 'failed' && failureKind === 'transient')
    return withStep(change, { on: 'retry', actor: 'rail', facts });
  if (status !== 'held') return change;
  return withStep(withStep(change, { on: 'release', actor: 'rail' }), { on: 'submit', actor: 'rail', facts });
}

function settled(change: PayoutChange, { providerRef, settledAt }: Settled): PayoutChange {
  return withStep(change, { on: 'settle', actor: 'rail', facts: { providerRef, settledAt } });
}

/** A fee is what the bank kept of the money it sent back, so it is never more than that money. */
function bounced(change: PayoutChange, { feeCents }: Bounced): PayoutChange {
  const facts = { liftingFeeCents: Math.min(feeCents, change.after.amountCents) };
  return withStep(change, { on: 'bounce', actor: 'rail', facts, statusReason: statusReason('bank_returned') });
}

/** A rail that is out of money holds what goes to accounts, and fails what would wait for its payee. */
function refused(change: PayoutChange, { failure, reason }: Refused): PayoutChange {
  if (failure !== 'funding')
    return withStep(change, {
      on: 'refuse',
      actor: 'rail',
      failureKind: failure,
      statusReason: statusReason('rail_refused', reason),
    });
  if (change.after.custody === 'custodial')
    return withStep(change, {
      on: 'block',
      actor: 'rail',
      failureKind: 'transient',
      shortOf: 'rail',
      statusReason: statusReason('insufficient_funds', reason),
    });
  return withStep(change, {
    on: 'refuse',
    actor: 'rail',
    failureKind: 'transient',
    statusReason: statusReason('rail_out_of_funds', reason),
  });
}
