// Payouts that are there already, written by SQL in bulk: what a year of work leaves behind. They are at rest, so that
// nothing is done about them, and older than a day, so that no cap counts them.
const CHUNK = 100_000;

/**
 * Rows `from` to `to - 1`; the n-th is n times ten seconds older than yesterday. Attributes are drawn independently of each
 * other, from the row's number. Foreign keys hold by what is written and are not looked up row by row, hence `replica`.
 */
export async function seedPayouts(client, { clientId, payees, from = 0, to, trail = true, told = () => undefined }) {
  await client.query('SET session_replication_role = replica');
  for (let first = from; first < to; first += CHUNK) {
    const last = Math.min(first + CHUNK, to) - 1;
    await client.query(trail ? PAYOUTS_AND_TRAIL : PAYOUTS, [clientId, payees, first, last]);
    told(last + 1);
  }
  await client.query('SET session_replication_role = origin');
}

export async function afterSeeding(client) {
  await client.query('VACUUM ANALYZE payouts');
  await client.query('VACUUM ANALYZE payout_trail');
}

/** What there is most of, and what there is little of, to filter by. */
export const COMMON = { status: 'paid', provider: 'claim_rail', ref: 'order-7' };
export const RARE = { status: 'returned', provider: 'custodial_b' };

/** A number below `of`, the same for the same row, independent for each `seed`. */
const drawn = (seed, of) => `(hashint8extended(number, ${seed}) & 2147483647) % ${of}`;

const PAYOUTS = `
  INSERT INTO payouts (id, client_id, payee_id, source, idempotency_key, fingerprint, rail_key, test_mode, amount_cents,
    currency, status, sequence, provider, provider_ref, custody, ref, failure_kind, status_reason, settled_at, submitted_at,
    authorized_on, created_at, updated_at)
  SELECT uuidv7(made_at - now()), $1::uuid, ($2::uuid[])[1 + ${drawn(1, 'cardinality($2::uuid[])')}], 'payout',
    'stored-' || number, sha256(number::text::bytea), 'gw' || left(encode(sha256(($1 || number::text)::bytea), 'hex'), 48),
    false, 1000 + number % 1000, 'USD', status, 4, provider, 'ref_' || number, 'claim',
    CASE WHEN ${drawn(2, 2)} = 0 THEN 'order-' || ${drawn(3, 1000)} END,
    CASE WHEN status IN ('failed', 'held') THEN 'permanent' END,
    CASE WHEN status IN ('failed', 'held') THEN 'provider_rejected' END,
    CASE WHEN status IN ('paid', 'returned') THEN made_at END, made_at, made_at::date, made_at, made_at
  FROM (
    SELECT number, date_trunc('day', now()) - interval '1 day' - number * interval '10 seconds' AS made_at,
      CASE WHEN ${drawn(4, 10_000)} = 0 THEN '${RARE.status}' WHEN ${drawn(4, 100)} < 90 THEN '${COMMON.status}'
        WHEN ${drawn(4, 100)} < 97 THEN 'failed' ELSE 'held' END AS status,
      CASE WHEN ${drawn(5, 10_000)} = 0 THEN '${RARE.provider}' WHEN ${drawn(5, 10)} < 6 THEN '${COMMON.provider}'
        WHEN ${drawn(5, 10)} < 9 THEN 'custodial_a' ELSE 'swap_rail' END AS provider
    FROM generate_series($3::bigint, $4::bigint) AS number
  ) AS rows`;

const PAYOUTS_AND_TRAIL = `
  WITH made AS (${PAYOUTS} RETURNING id, status, created_at)
  INSERT INTO payout_trail (id, payout_id, sequence, type, from_status, to_status, actor, custody, created_at)
  SELECT uuidv7(made.created_at - now()), made.id, step, type, from_status, coalesce(to_status, made.status), actor, 'claim',
    made.created_at
  FROM made, (VALUES (1, 'create', NULL, 'requested', 'client'), (2, 'route', 'requested', 'authorized', 'client'),
    (3, 'submit', 'authorized', 'submitted', 'system'), (4, 'settle', 'submitted', NULL, 'rail'))
    AS steps (step, type, from_status, to_status, actor)`;
