/** Once all is healed nothing is stuck, nobody is forgotten, and no process ended that nobody ended. */
import type { Evidence } from './evidence';
import { disputed } from './notice';
import { eur, type Violation } from './violation';

const UNDER_WAY = ['requested', 'authorized', 'submitted'];
/** The test rail does these on every try. */
export const NEVER_PAID = ['mock:fail_transient', 'mock:insufficient_funds', 'mock:fail_permanent', 'mock:leg_refused'];

export interface Left {
  /** Jobs that are due and not done, sessions that idle in a transaction. */
  jobs: { name: string; entity_id: string; last_error: string | null }[];
  idle: number;
}

export function restViolations(evidence: Evidence, left: Left): Violation[] {
  const { payouts, breakdowns } = evidence;
  const stuck = payouts.filter(({ status }) => UNDER_WAY.includes(status));
  const nameOf = (payeeId: string): string => evidence.payeeById.get(payeeId)?.externalId ?? payeeId;
  return [
    ...stuck.map(({ id, status, payee_id, rail_key }) => ({
      ...{ rule: 'nothing is stuck', text: `Payout ${id} is ${status} still.` },
      ...{ payees: [nameOf(payee_id)], codes: [rail_key] },
    })),
    ...left.jobs.map(({ name, entity_id, last_error }) => ({
      rule: 'nothing is stuck',
      text: `Job ${name} of ${entity_id} is due and not done${last_error ? `: ${last_error}` : ''}.`,
    })),
    ...(left.idle > 0 ? [{ rule: 'nothing is stuck', text: `${left.idle} sessions idle in a transaction.` }] : []),
    ...resting(evidence, nameOf),
    ...breakdowns.map(({ name, lastWords }) => ({
      rule: 'no process ends by itself',
      text: `${name} ended by itself. Its last words: ${lastWords}`,
    })),
  ];
}

/** Everything that could go on was asked to: what rests all the same is forgotten, unless an operator is told. */
function resting({ payouts, rows, drift }: Evidence, nameOf: (payeeId: string) => string): Violation[] {
  const named = disputed({ payouts, drift });
  const rule = 'nobody is forgotten';
  const waiting = payouts.filter(
    ({ id, status, failure_kind, consolidates, superseded_by, reason }) =>
      (status === 'held' || (status === 'failed' && failure_kind === 'transient' && !consolidates)) &&
      superseded_by === null &&
      !NEVER_PAID.includes(reason ?? '') &&
      !named.has(id),
  );
  const owed = rows.filter(({ status, transaction_id }) => status === 'owed' && !named.has(transaction_id));
  return [
    ...waiting.map(({ id, status, status_reason, payee_id, rail_key }) => ({
      ...{ rule, text: `Payout ${id} is ${status} still (${status_reason}), although it was released or tried again.` },
      ...{ payees: [nameOf(payee_id)], codes: [rail_key] },
    })),
    ...owed.map(({ external_ref, amount_cents, payee_id }) => ({
      ...{ rule, text: `Row ${external_ref} of ${eur(amount_cents)} is owed still, although it was withdrawn.` },
      payees: [nameOf(payee_id)],
    })),
  ];
}
