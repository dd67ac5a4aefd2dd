/**
 * Every time that the database keeps, and what becomes of it when a test client lets time pass. A column that holds a time, or
 * JSON, and is not here fails a spec. The order is the order of the locks: payees, payouts, then what hangs on them.
 */
/** How a column moves: by $2 seconds, or as written. */
const BY_ALL = 'by all of it';
type Move = typeof BY_ALL | { as: string };

export interface TableTimes {
  /** Which rows are a client's, $1. */
  of: string;
  moves: Record<string, Move>;
  /** The columns that stay as they are, and why. */
  stays?: Record<string, string>;
  /** Other writes that go with the moves. */
  also?: string;
}

export const PASSED = `$2::bigint * interval '1 second'`;
const OF_CLIENT = 'client_id = $1::uuid';
const OF_ITS_PAYEE = 'payee_id IN (SELECT id FROM payees WHERE client_id = $1::uuid)';
const OF_ITS_PAYOUT = 'payout_id IN (SELECT id FROM payouts WHERE client_id = $1::uuid)';
/** A job has its client as its lane, or as its owner within the lane of a rail. */
const ITS_JOB = '(lane = $1::uuid::text OR owner = $1::uuid::text)';
const CREATED = { created_at: BY_ALL } as const;
const CREATED_AND_UPDATED = { ...CREATED, updated_at: BY_ALL } as const;

const NO_TIME = 'no times in it';
/** Whoever makes an attempt compares it with what was read before: what is about to be due stays, and is due all the same. */
const NEXT_ATTEMPT = `CASE WHEN status = 'pending' AND next_attempt_at <= clock_timestamp() + interval '5 seconds'
  THEN next_attempt_at ELSE next_attempt_at - ${PASSED} END`;
/** As many days as the moment of its authorization crosses, so that half a day twice is a day. */
const AUTHORIZED_ON = `(
  SELECT authorized_on - ((at AT TIME ZONE 'utc')::date - ((at - ${PASSED}) AT TIME ZONE 'utc')::date)
  FROM (SELECT coalesce((
    SELECT max(created_at) FROM payout_trail WHERE payout_id = payouts.id AND to_status = 'authorized'
  ), payouts.submitted_at, payouts.created_at) AS at) AS authorized)`;
/** Of payouts that count against a day's cap: what a balance keeps. */
const COUNTED = `FROM payouts WHERE payouts.payee_id = balances.payee_id AND payouts.currency = balances.currency
  AND status IN ('authorized', 'submitted', 'paid', 'returned')`;
const NEWEST_DAY = `(SELECT max(authorized_on) ${COUNTED})`;
const AND_ITS_CENTS = `day_cents = coalesce((SELECT sum(amount_cents) ${COUNTED} AND authorized_on = ${NEWEST_DAY}), 0)`;
/** In the shape in which they are written. */
const EARLIER_IN_LEG = ['firstSentAt', 'notBefore', 'wishedAt']
  .map(
    (name) => `'${name}', to_char((leg ->> '${name}')::timestamptz AT TIME ZONE 'utc' - ${PASSED},
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  )
  .join(', ');
const LEGS = `CASE WHEN legs = '[]' THEN legs ELSE (
  SELECT jsonb_agg(leg || jsonb_build_object(${EARLIER_IN_LEG}) ORDER BY place)
  FROM jsonb_array_elements(legs) WITH ORDINALITY AS each (leg, place)) END`;
/** The lease of a job under way stays; it runs once more, because what it looked at was younger. */
const UNLESS_LEASED = `CASE WHEN lease_token IS NULL THEN run_at - ${PASSED} ELSE run_at END`;
const ONCE_MORE = 'version = version + CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END';

export const CLIENT_TIMES: Record<string, TableTimes> = {
  clients: {
    of: 'id = $1::uuid',
    moves: CREATED_AND_UPDATED,
    stays: { caps: NO_TIME, floors: NO_TIME, withdraw_policy: NO_TIME, brand: NO_TIME, mails: NO_TIME },
  },
  client_keys: { of: OF_CLIENT, moves: { ...CREATED, expires_at: BY_ALL, revoked_at: BY_ALL } },
  signing_secrets: { of: OF_CLIENT, moves: { ...CREATED, expires_at: BY_ALL } },
  payees: {
    of: OF_CLIENT,
    moves: { ...CREATED_AND_UPDATED, cooling_until: BY_ALL, email_changed_at: BY_ALL, identity_changed_at: BY_ALL },
    stays: { metadata: NO_TIME },
  },
  methods: {
    of: OF_CLIENT,
    moves: {
      ...CREATED_AND_UPDATED,
      checked_at: BY_ALL,
      asked_at: BY_ALL,
      ask_at: BY_ALL,
      standing_since: BY_ALL,
      details_at: BY_ALL,
    },
    stays: { details: NO_TIME },
  },
  page_links: { of: OF_CLIENT, moves: { ...CREATED, expires_at: BY_ALL, used_at: BY_ALL } },
  portal_sessions: {
    of: OF_CLIENT,
    moves: { ...CREATED, link_made_at: BY_ALL, fresh_until: BY_ALL, expires_at: BY_ALL },
  },
  account_openings: { of: OF_CLIENT, moves: CREATED_AND_UPDATED, stays: { asked: NO_TIME } },
  payouts: {
    of: OF_CLIENT,
    moves: {
      ...CREATED_AND_UPDATED,
      authorized_on: { as: AUTHORIZED_ON },
      claimed_at: BY_ALL,
      settled_at: BY_ALL,
      submitted_at: BY_ALL,
      code_since: BY_ALL,
      cleared_at: BY_ALL,
      legs: { as: LEGS },
    },
    stays: {
      open_attempts: 'a call under way is as old as it is: until it is over nothing else decides for it',
      destination: NO_TIME,
      metadata: NO_TIME,
    },
  },
  payout_trail: { of: OF_ITS_PAYOUT, moves: CREATED },
  wallet_entries: { of: OF_CLIENT, moves: CREATED },
  disbursements: { of: OF_CLIENT, moves: CREATED_AND_UPDATED },
  // After its payouts, whose days it counts.
  balances: { of: OF_ITS_PAYEE, moves: { moved_at: BY_ALL, day: { as: NEWEST_DAY } }, also: AND_ITS_CENTS },
  drift: { of: OF_ITS_PAYOUT, moves: { found_at: BY_ALL, resolved_at: BY_ALL, said_at: BY_ALL } },
  rail_movements: {
    of: '(rail, rail_key) IN (SELECT provider, rail_key FROM payouts WHERE client_id = $1::uuid)',
    moves: { listed_at: BY_ALL },
  },
  events: {
    of: OF_CLIENT,
    moves: { ...CREATED, next_attempt_at: { as: NEXT_ATTEMPT }, delivered_at: BY_ALL },
    stays: {
      payload: 'what was signed and sent never changes',
      leased_until: 'written by no version of this service that still runs',
    },
  },
  event_attempts: {
    of: 'event_id IN (SELECT id FROM events WHERE client_id = $1::uuid)',
    moves: { started_at: BY_ALL },
  },
  receivers: { of: OF_CLIENT, moves: { failing_since: BY_ALL, rested_at: BY_ALL, resting_until: BY_ALL } },
  jobs: { of: ITS_JOB, moves: { ...CREATED, run_at: { as: UNLESS_LEASED } }, also: ONCE_MORE },
};

/** Records of rails that keep times: $3 is what a key begins with, $4 the properties. Their shape is the rail's own. */
export const RAIL_RECORDS: TableTimes = {
  of: 'rail = $5 AND key IN (SELECT $3 || rail_key FROM payouts WHERE client_id = $1::uuid AND provider = $5)',
  moves: {
    changed_at: BY_ALL,
    value: {
      as: `value || coalesce((
        SELECT jsonb_object_agg(name, to_char((value ->> name)::timestamptz AT TIME ZONE 'utc' - ${PASSED},
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        FROM unnest($4::text[]) AS kept (name) WHERE value ->> name IS NOT NULL), '{}')`,
    },
  },
};

/** Times that no test client moves: of everybody, of operators, or of the world outside. */
export const REAL_TIMES: Record<string, Record<string, string>> = {
  used_signatures: { expires_at: 'a signature that was used stays used: requests are dated by the real time' },
  mails: {
    created_at: 'mails reach people, and their limits protect these',
    allowed_at: 'the limits of an address count the mails of all clients',
    ended_at: 'as the others of its row',
  },
  audit_log: { created_at: 'what operators did, when they did it', before: NO_TIME, after: NO_TIME },
  operators: { created_at: 'of nobody who calls the API', revoked_at: 'as created_at' },
  routes: { updated_at: 'of all clients' },
  rail_scans: { scanned_until: 'how far a rail was compared with, for all clients', restored_at: 'as scanned_until' },
  rail_watches: { watched_until: 'how far a look came, for all clients: what a move passes over gets a job' },
  rail_notices: { received_at: 'of a provider' },
  rail_lanes: { closed_at: 'of a rail', opens_at: 'of a rail', rests_until: 'of a rail' },
  rail_turns: { next_at: 'of a rail' },
  rail_accounts: { bound_at: 'of a rail', rebound_at: 'of a rail', first_since: 'of a rail' },
  scans_of_accounts: {
    scanned_until: 'how far the list of an account was compared with',
    restored_at: 'as scanned_until',
  },
  restores: { restored_at: 'of the deployment' },
  runners: { leased_until: 'a lease of a process' },
  jobs_clock: { seen_at: 'what the database showed' },
  long_turns: { asked_at: 'since when a request of now waits', looked_at: 'as asked_at' },
};

export function moveOf(table: string, { of, moves, also }: TableTimes): string {
  const written = Object.entries(moves).map(
    ([column, move]) => `${column} = ${move === BY_ALL ? `${column} - ${PASSED}` : move.as}`,
  );
  return `UPDATE ${table} SET ${[...written, ...(also ? [also] : [])].join(', ')} WHERE ${of}`;
}
