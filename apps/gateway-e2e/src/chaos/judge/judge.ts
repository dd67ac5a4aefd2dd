/** Holds the three accounts of a run against each other: the provider's, the driver's and the gateway's own. */
import { brokenInvariants, RAILS_KEPT_HERE } from '../../harness/invariants';
import type { Healed } from '../healing';
import { DAILY_CENTS } from '../workload/cast';
import type { Workload } from '../workload/workload';
import type { World } from '../world/world';
import { type Evidence, evidenceOf } from './evidence';
import { keptViolations } from './kept';
import { moneyViolations } from './money';
import { orderViolations } from './orders';
import { restViolations } from './rest';
import type { Violation } from './violation';

export interface Judgement {
  violations: Violation[];
  evidence: Evidence;
}

export async function judge(world: World, { model, caller, givenUp }: Workload, healed: Healed): Promise<Judgement> {
  const kept = await keptViolations(model, caller);
  const evidence = await evidenceOf(world, model);
  const violations = [
    ...moneyViolations(evidence),
    ...healed.untold,
    ...orderViolations(evidence),
    ...kept,
    ...restViolations(evidence, healed.left),
    ...givenUp.map((text) => ({ rule: 'somebody answers', text })),
    ...(await invariantViolations(world, model)),
  ];
  return { violations, evidence };
}

async function invariantViolations(world: World, { parties, rows }: Workload['model']): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const party of parties) {
    const mine = [...rows.values()].filter(({ payee }) => payee.party === party);
    const pushedCents = mine.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const limits = { clientId: party.id, dailyCents: DAILY_CENTS, pushedCents, databaseUrl: world.postgres.url };
    // What rails elsewhere moved is in the provider's ledger, and judged by that.
    const broken = await brokenInvariants({ ...limits, leaveOut: party.testMode ? [] : [RAILS_KEPT_HERE] });
    found.push(...broken.map((text) => ({ rule: 'the invariants hold', text: `${party.name}: ${text}` })));
  }
  return found;
}
