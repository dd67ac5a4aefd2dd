/**
 * Every table, and what becomes of a client's rows in it when it is reset. The order is that in which rows may go: what refers to
 * others goes before them. A table that is not here fails a spec.
 */
const OF_CLIENT = 'client_id = $1::uuid';
const ITS_PAYEES = 'SELECT id FROM payees WHERE client_id = $1::uuid';
const ITS_PAYOUTS = 'SELECT id FROM payouts WHERE client_id = $1::uuid';
/** At a rail: what its payouts are known by there. */
export const ITS_CODES = 'SELECT provider, rail_key FROM payouts WHERE client_id = $1::uuid AND provider IS NOT NULL';

/** Which rows go, by table. */
export const GOES: Record<string, string> = {
  jobs: `(lane = $1::uuid::text OR owner = $1::uuid::text)`,
  event_attempts: 'event_id IN (SELECT id FROM events WHERE client_id = $1::uuid)',
  events: OF_CLIENT,
  receivers: OF_CLIENT,
  mails: OF_CLIENT,
  portal_sessions: OF_CLIENT,
  page_links: OF_CLIENT,
  drift: `(payout_id IN (${ITS_PAYOUTS}) OR (rail, rail_key) IN (${ITS_CODES}))`,
  rail_movements: `(rail, rail_key) IN (${ITS_CODES})`,
  account_openings: OF_CLIENT,
  wallet_entries: OF_CLIENT,
  wallets: OF_CLIENT,
  disbursements: OF_CLIENT,
  payout_trail: `payout_id IN (${ITS_PAYOUTS})`,
  payouts: OF_CLIENT,
  batch_addresses: OF_CLIENT,
  balances: `payee_id IN (${ITS_PAYEES})`,
  methods: OF_CLIENT,
  payees: OF_CLIENT,
};

/** A test rail's records of the client; $2 is its name. They come before the rows from which the keys are known. */
export const RAIL_RECORDS_OF: Record<'payment' | 'leg' | 'opening' | 'account' | 'check', string> = {
  payment: 'SELECT $3 || rail_key FROM payouts WHERE client_id = $1::uuid AND provider = $2',
  leg: `SELECT $3 || (leg ->> 'key') FROM payouts CROSS JOIN LATERAL jsonb_array_elements(legs) AS each (leg)
    WHERE client_id = $1::uuid AND provider = $2`,
  opening: 'SELECT $3 || key FROM account_openings WHERE client_id = $1::uuid AND provider = $2',
  account: `SELECT $3 || provider_account_id FROM methods WHERE client_id = $1::uuid AND provider = $2 AND test_mode
    UNION SELECT $3 || account_id FROM account_openings WHERE client_id = $1::uuid AND provider = $2 AND account_id IS NOT NULL`,
  check: 'SELECT $3 || payee_id::text FROM payouts WHERE client_id = $1::uuid AND provider = $2',
};

/** The rows that stay, and why. */
export const STAYS: Record<string, string> = {
  clients: 'the client itself, which is as young as if it had just been made',
  client_keys: 'whoever calls with them goes on calling',
  signing_secrets: 'whoever signs with them goes on signing',
  used_signatures: 'no request comes twice, whatever became of what it did',
  rate_windows: 'a minute is over in a minute',
  long_turns: 'who waits for a move or a reset goes on waiting, for seconds',
  audit_log: 'what operators did, the reset as well',
  rail_records: 'of rails; what one for tests has of the client goes by its own list',
  operators: 'of nobody who calls the API',
  routes: 'of all clients',
  rail_scans: 'of a rail',
  rail_watches: 'of a rail',
  rail_notices: 'of a provider',
  rail_lanes: 'of a rail',
  rail_turns: 'of a rail',
  rail_accounts: 'of a rail',
  scans_of_accounts: 'of a rail',
  runners: 'of processes',
  jobs_clock: 'of the database',
  database_place: 'of the database',
  code_floor: 'of the deployment',
  deployment: 'of the deployment',
  restores: 'of the deployment',
  migrations: 'of the deployment',
};
