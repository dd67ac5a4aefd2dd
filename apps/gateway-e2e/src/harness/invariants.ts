/** What must hold of a client's money at every moment, read from the database in one snapshot. */
import { Client } from 'pg';
import { TRANSITIONS } from '#libs/domain';
import { underTest } from './api';

interface Limits {
  clientId: string;
  dailyCents: number;
}

const LEGAL = TRANSITIONS.map(({ from, on, to }) => `${from} ${on} ${to}`);

const ILLEGAL_STEP = 'a step is not in the table';
const OVER_THE_CAP = 'a daily cap is passed';

/** Each statement answers rows only where its sentence is not true. */
const BROKEN: Record<string, string> = {
  'a trail has a gap, or does not end where its payout stands': `
    SELECT id FROM payouts JOIN LATERAL (
      SELECT count(*) AS steps, max(sequence) AS last, min(sequence) AS first,
        bool_and(coalesce(from_status, '') = coalesce(previous, '')) AS joined,
        (array_agg(to_status ORDER BY sequence DESC))[1] AS ended
      FROM (SELECT *, lag(to_status) OVER (ORDER BY sequence) AS previous FROM payout_trail WHERE payout_id = payouts.id) AS t
    ) AS trail ON true
    WHERE client_id = $1 AND NOT (first = 1 AND last = steps AND last = payouts.sequence AND joined AND ended = status)`,
  [ILLEGAL_STEP]: `
    SELECT payout_id FROM payout_trail JOIN payouts ON payouts.id = payout_id
    WHERE client_id = $1 AND NOT (coalesce(from_status, 'null') || ' ' || type || ' ' || to_status = ANY($2::text[]))`,
  'a step has no event, or an event no step': `
    SELECT coalesce(payout_id, entity_id) FROM
      (SELECT payout_id, payout_trail.sequence FROM payout_trail JOIN payouts ON payouts.id = payout_id WHERE client_id = $1) AS steps
      FULL JOIN (SELECT entity_id, sequence FROM events WHERE client_id = $1 AND type = 'payout.status') AS told
      ON payout_id = entity_id AND steps.sequence = told.sequence
    WHERE payout_id IS NULL OR entity_id IS NULL`,
  'a wallet is overdrawn, or is not what its entries and payouts come to': `
    SELECT wallets.* FROM wallets JOIN LATERAL (
      SELECT (SELECT coalesce(sum(amount_cents), 0) FROM wallet_entries
          WHERE client_id = wallets.client_id AND currency = wallets.currency) AS deposited,
        coalesce(sum(amount_cents) FILTER (WHERE status IN ('requested', 'authorized', 'submitted')), 0) AS in_flight,
        coalesce(sum(amount_cents) FILTER (WHERE status = 'paid'), 0) AS paid,
        coalesce(sum(lifting_fee_cents) FILTER (WHERE status = 'returned'), 0) AS fees
      FROM payouts WHERE client_id = wallets.client_id AND currency = wallets.currency AND prepaid
    ) AS real ON true
    WHERE client_id = $1 AND ((deposited_cents, in_flight_cents, paid_cents, fee_cents) <> (deposited, in_flight, paid, fees)
      OR deposited_cents - in_flight_cents - paid_cents - fee_cents < 0)`,
  [OVER_THE_CAP]: `
    SELECT payee_id, currency, authorized_on FROM payouts
    WHERE client_id = $1 AND status IN ('authorized', 'submitted', 'paid')
    GROUP BY payee_id, currency, authorized_on HAVING sum(amount_cents) > $2`,
  'the rail moved what is not paid, other money, or not what is paid': `
    SELECT payouts.id FROM payouts LEFT JOIN rail_records ON key = 'payment:' || rail_key AND rail = 'mock'
    WHERE client_id = $1 AND (
      (value ->> 'amountCents')::bigint <> amount_cents OR value ->> 'currency' <> payouts.currency
      OR (status IN ('paid', 'returned') AND value ->> 'settledAt' IS NULL)
      OR (status IN ('requested', 'authorized', 'held', 'failed') AND value ->> 'settledAt' IS NOT NULL))`,
};

/** The sentences that are broken; none, where all is well. */
export async function brokenInvariants({ clientId, dailyCents }: Limits): Promise<string[]> {
  const client = new Client({ connectionString: underTest().databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const more: Record<string, unknown[]> = { [ILLEGAL_STEP]: [LEGAL], [OVER_THE_CAP]: [dailyCents] };
    const broken: string[] = [];
    for (const [sentence, sql] of Object.entries(BROKEN)) {
      const { rows } = await client.query(sql, [clientId, ...(more[sentence] ?? [])]);
      if (rows.length > 0) broken.push(`${sentence}: ${JSON.stringify(rows)}`);
    }
    return broken;
  } finally {
    await client.end();
  }
}
