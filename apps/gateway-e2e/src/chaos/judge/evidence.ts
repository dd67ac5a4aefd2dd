/** All that is known after a run, in one place: the provider's ledger, the driver's model, what the gateway keeps. */
import { CALLS_FILE, LEDGER_FILE, type LedgerLine, readLines } from '../provider/ledger';
import type { Payment } from '../provider/payment';
import type { Breakdown } from '../world/gateways';
import type { World } from '../world/world';
import type { Model, Payee } from '../workload/model';
import type { Happening } from '../chronicle';

export interface PayoutRow {
  id: string;
  client_id: string;
  payee_id: string;
  source: string;
  idempotency_key: string;
  rail_key: string;
  provider: string | null;
  amount_cents: number;
  currency: string;
  status: string;
  failure_kind: string | null;
  status_reason: string | null;
  reason: string | null;
  consolidates: boolean;
  superseded_by: string | null;
}

export interface TrailRow {
  payout_id: string;
  type: string;
  from_status: string | null;
  to_status: string;
  status_reason: string | null;
  actor: string;
  at: number;
}

export interface OwedRow {
  id: string;
  payee_id: string;
  external_ref: string;
  amount_cents: number;
  currency: string;
  status: string;
  transaction_id: string | null;
}

export interface DriftRow {
  rail: string;
  rail_key: string;
  kind: string;
  payout_id: string | null;
  found: number;
  open: boolean;
}

/** One call, as the provider wrote it down. */
export interface CallLine {
  call: 'submit' | 'lookup';
  rail: string;
  code: string;
  caller: number;
  nth: number;
  receivedAt: number;
  at: number;
  destination?: string;
  payout?: string;
  delivery: string;
  outcome: string;
}

/** Money that left, by the word of the provider alone; on the test rail, whose provider is a table, by that table's. */
export interface Movement {
  rail: string;
  code: string;
  destination: string | null;
  amountCents: number;
  currency: string;
  at: number;
  /** What came back of it. */
  returnedCents: number;
}

export interface Evidence {
  model: Model;
  ledger: LedgerLine[];
  movements: Movement[];
  calls: CallLine[];
  payouts: PayoutRow[];
  trail: TrailRow[];
  rows: OwedRow[];
  drift: DriftRow[];
  happenings: Happening[];
  breakdowns: Breakdown[];
  beganAt: number;
  payeeById: Map<string, Payee>;
}

const MS = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

export async function evidenceOf({ chronicle, postgres, gateways }: World, model: Model): Promise<Evidence> {
  const ledger = readLines<LedgerLine>(chronicle.directory, LEDGER_FILE);
  const calls = readLines<CallLine>(chronicle.directory, CALLS_FILE).filter(({ call }) => /submit|lookup/.test(call));
  return {
    ...{ model, ledger, calls, happenings: chronicle.happenings, beganAt: chronicle.beganAt },
    breakdowns: gateways.breakdowns,
    movements: [...movementsIn(ledger), ...(await postgres.rows<Movement>(MOCK_MOVEMENTS))],
    payouts: await postgres.rows<PayoutRow>(PAYOUTS),
    trail: await postgres.rows<TrailRow>(TRAIL),
    rows: await postgres.rows<OwedRow>(ROWS),
    drift: await postgres.rows<DriftRow>(DRIFT),
    payeeById: new Map(model.payees.map((payee) => [payee.id, payee])),
  };
}

/** As each code stands now. */
export function paymentsIn(ledger: LedgerLine[]): Payment[] {
  return [...new Map(ledger.map((line) => [`${line.rail} ${line.code}`, line])).values()];
}

function movementsIn(ledger: LedgerLine[]): Movement[] {
  return paymentsIn(ledger).flatMap((payment) => {
    const { rail, code, destination, amountCents, currency, settledAt, state, feeCents } = payment;
    if (settledAt === null) return [];
    const returnedCents = state === 'bounced' ? amountCents - Math.min(feeCents, amountCents) : 0;
    return [{ rail, code, destination, amountCents, currency, at: settledAt, returnedCents }];
  });
}

const MOCK_MOVEMENTS = `
  SELECT rail, substr(key, 9) AS code, NULL AS destination, (value ->> 'amountCents')::float8 AS "amountCents",
    value ->> 'currency' AS currency, ${MS(`(value ->> 'settledAt')::timestamptz`)} AS at,
    CASE value ->> 'state' WHEN 'bounced'
      THEN ((value ->> 'amountCents')::bigint - (value ->> 'feeCents')::bigint)::float8 ELSE 0 END AS "returnedCents"
  FROM rail_records WHERE rail = 'mock' AND key LIKE 'payment:%' AND value ->> 'settledAt' IS NOT NULL`;
const PAYOUTS = `
  SELECT id::text, client_id::text, payee_id::text, source, idempotency_key, rail_key, provider,
    amount_cents::float8 AS amount_cents, currency, status, failure_kind, status_reason, reason, consolidates,
    superseded_by::text
  FROM payouts`;
const TRAIL = `
  SELECT payout_id::text, type, from_status, to_status, status_reason, actor, ${MS('created_at')} AS at
  FROM payout_trail ORDER BY payout_id, sequence`;
const ROWS = `
  SELECT id::text, payee_id::text, external_ref, amount_cents::float8 AS amount_cents, currency, status,
    transaction_id::text
  FROM disbursements`;
const DRIFT = `
  SELECT rail, rail_key, kind, payout_id::text, ${MS('found_at')} AS found, resolved_at IS NULL AS open FROM drift`;
