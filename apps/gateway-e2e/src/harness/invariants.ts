/** What must hold of a client's money at every moment, read from the database in one snapshot. */
import { Client } from 'pg';
import { TRANSITIONS } from '#libs/domain';
import { underTest } from './api';

interface Limits {
  clientId: string;
  dailyCents: number;
  /** What the caller pushed and was answered, in all currencies. */
  pushedCents?: number;
  /** Sentences that are not asked about. */
  leaveOut?: string[];
  databaseUrl?: string;
}

const LEGAL = TRANSITIONS.map(({ from, on, to }) => `${from} ${on} ${to}`);

const ILLEGAL_STEP = 'a step is not in the table';
const OVER_THE_CAP = 'a daily cap is passed';
/** Of rails whose provider is a table of the gateway's: the test rail and the stand-ins. */
export const RAILS_KEPT_HERE = 'the rail moved what is not paid, other money, or not what is paid';
const LOST = 'what is owed, attached and settled is not what was pushed and came back';

/** Of a payout that failed: an operator called it paid, and its money did not come back since. */
const HAS_LANDED = `coalesce((SELECT type = 'found_landed' FROM payout_trail WHERE payout_id = payouts.id
  AND type IN ('found_landed', 'found_returned') ORDER BY sequence DESC LIMIT 1), false)`;

/** Each statement answers rows only if its sentence is not true. */
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
    WHERE client_id = $1 AND status IN ('authorized', 'submitted', 'paid', 'returned')
    GROUP BY payee_id, currency, authorized_on HAVING sum(amount_cents) > $2`,
  'what a balance keeps of its newest day is not what its payouts come to': `
    SELECT balances.payee_id, balances.currency, day, day_cents, counted.* FROM balances JOIN payees ON payees.id = payee_id
    JOIN LATERAL (
      SELECT max(authorized_on) AS newest, coalesce(sum(amount_cents) FILTER (WHERE authorized_on = day), 0) AS cents FROM payouts
      WHERE payouts.payee_id = balances.payee_id AND payouts.currency = balances.currency
        AND status IN ('authorized', 'submitted', 'paid', 'returned')
    ) AS counted ON true
    WHERE client_id = $1 AND (day_cents <> cents OR coalesce(newest > day, newest IS NOT NULL))`,
  [RAILS_KEPT_HERE]: `
    SELECT payouts.id FROM payouts LEFT JOIN rail_records ON key = 'payment:' || rail_key AND rail = payouts.provider
    WHERE client_id = $1 AND NOT (superseded_by IS NOT NULL
        AND EXISTS (SELECT FROM payouts AS next WHERE next.rail_key = payouts.rail_key AND next.superseded_by IS NULL)) AND (
      (value ->> 'amountCents')::bigint <> amount_cents OR value ->> 'currency' <> payouts.currency
      OR (status IN ('paid', 'returned') AND value ->> 'settledAt' IS NULL)
      OR (status IN ('requested', 'authorized', 'held', 'failed') AND value ->> 'settledAt' IS NOT NULL))`,
  'a row stands elsewhere than its payout, or is held by one that is superseded': `
    SELECT row.id FROM disbursements AS row LEFT JOIN payouts ON payouts.id = transaction_id
    WHERE row.client_id = $1 AND ((superseded_by IS NOT NULL AND row.status <> 'owed' AND NOT ${HAS_LANDED}) OR row.status <> CASE
      WHEN row.status = 'paid' AND payouts.status = 'failed' AND ${HAS_LANDED} THEN 'paid'
      WHEN transaction_id IS NULL OR payouts.status = 'failed' THEN 'owed'
      WHEN payouts.status IN ('paid', 'returned') THEN payouts.status
      ELSE 'released' END)`,
  'a payout is not the sum of its rows, or they are of another payee or currency': `
    SELECT payouts.id, payouts.amount_cents, sum(row.amount_cents) FROM payouts
    LEFT JOIN disbursements AS row ON transaction_id = payouts.id
    WHERE payouts.client_id = $1 AND consolidates AND superseded_by IS NULL
    GROUP BY payouts.id
    HAVING payouts.amount_cents IS DISTINCT FROM sum(row.amount_cents)
      OR bool_or(row.payee_id <> payouts.payee_id OR row.currency <> payouts.currency)`,
  [LOST]: `
    SELECT rows, came_back FROM
      (SELECT coalesce(sum(amount_cents), 0) AS rows FROM disbursements WHERE client_id = $1) AS ledger,
      (SELECT coalesce(sum(amount_cents - lifting_fee_cents), 0) AS came_back FROM payouts
        WHERE client_id = $1 AND consolidates AND status = 'returned') AS returned
    WHERE rows <> came_back + $2`,
  'a balance is not what its rows and payouts come to': `
    WITH cents AS (
      SELECT payee_id, currency, CASE
        WHEN status = 'paid' OR (NOT consolidates AND ${HAS_LANDED}) THEN 'landed'
        WHEN status = 'held' AND split_part(status_reason, ':', 1) = 'below_min_payout' THEN 'held_below'
        WHEN status = 'submitted' AND claim_url IS DISTINCT FROM 'page:soon' AND (custody = 'swap' OR (custody = 'claim' AND claimed_at IS NULL)) THEN 'action'
        WHEN status NOT IN ('failed', 'returned') THEN 'on_the_way' END AS bucket, amount_cents
      FROM payouts WHERE client_id = $1
      UNION ALL SELECT payee_id, currency, 'withdrawable', amount_cents FROM disbursements
      WHERE client_id = $1 AND status = 'owed'
      UNION ALL SELECT row.payee_id, row.currency, 'landed', row.amount_cents FROM disbursements AS row
      JOIN payouts ON payouts.id = row.transaction_id
      WHERE row.client_id = $1 AND row.status = 'paid' AND payouts.status = 'failed'
    ), real AS (
      SELECT payee_id, currency,
        coalesce(sum(amount_cents) FILTER (WHERE bucket = 'withdrawable'), 0) AS withdrawable,
        coalesce(sum(amount_cents) FILTER (WHERE bucket = 'on_the_way'), 0) AS on_the_way,
        coalesce(sum(amount_cents) FILTER (WHERE bucket = 'action'), 0) AS action,
        coalesce(sum(amount_cents) FILTER (WHERE bucket = 'held_below'), 0) AS held_below,
        coalesce(sum(amount_cents) FILTER (WHERE bucket = 'landed'), 0) AS landed
      FROM cents GROUP BY payee_id, currency
    )
    SELECT real.*, balances.* FROM real LEFT JOIN balances USING (payee_id, currency)
    WHERE (withdrawable_cents, on_the_way_cents, action_needed_cents, held_below_minimum_cents, landed_cents)
      IS DISTINCT FROM (withdrawable, on_the_way, action, held_below, landed)`,
};

/**
 * Asked after each step of the histories: PostgreSQL takes longer to connect and to plan these statements than to answer them, so
 * one connection stays, and with it their plans. Specs that name a database may cut it off at any moment: to those it connects anew.
 */
let ofDeployment: Promise<Client> | undefined;

/** The sentences that are broken; none, if all is well. */
export async function brokenInvariants(limits: Limits): Promise<string[]> {
  if (limits.databaseUrl === undefined)
    return askedOf(await (ofDeployment ??= connected(underTest().databaseUrl)), limits);
  const client = await connected(limits.databaseUrl);
  try {
    return await askedOf(client, limits);
  } finally {
    await client.end();
  }
}

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

async function askedOf(
  client: Client,
  { clientId, dailyCents, pushedCents = 0, leaveOut = [] }: Limits,
): Promise<string[]> {
  const more: Record<string, unknown[]> = {
    [ILLEGAL_STEP]: [LEGAL],
    [OVER_THE_CAP]: [dailyCents],
    [LOST]: [pushedCents],
  };
  const broken: string[] = [];
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    for (const [at, [sentence, text]] of Object.entries(BROKEN).entries()) {
      if (leaveOut.includes(sentence)) continue;
      const values = [clientId, ...(more[sentence] ?? [])];
      const { rows } = await client.query({ name: `broken ${at}`, text, values });
      if (rows.length > 0) broken.push(`${sentence}: ${JSON.stringify(rows)}`);
    }
  } finally {
    await client.query('ROLLBACK');
  }
  return broken;
}
