/**
 * Whoever has all rows of a client that has many keeps what is asked of that client waiting, in connections and places that others need.
 * One such client at a time is survived by all others, two are not: so one has its turn, over all processes.
 */
import { Refusal } from '#libs/domain';
import type { Db } from '#libs/db';

/** Rows like these take about a second. */
export const MANY_ROWS = 10_000;

export class NotItsTurn extends Refusal {
  constructor() {
    super('service_unavailable', NOT_ITS_TURN);
  }
}

/** Before anything is held. The turn is over with the transaction of the caller, and with its connection. */
export async function takeTurn(db: Db, clientId: string): Promise<void> {
  const turn = await db.row<{ isOurs: boolean }>(TAKE, [clientId, MANY_ROWS]);
  if (!turn?.isOurs) throw new NotItsTurn();
}

const NOT_ITS_TURN =
  'The clock of another test client with many payouts is moving, or it is being reset, which takes up to half a minute. Nothing was ' +
  'done: send the same request again, signed anew.';

/** Of a client these may be very many; all else that it has hangs on them. */
const ROWS = ['payees', 'payouts', 'disbursements', 'wallet_entries', 'events']
  .map((table) => `SELECT 1 FROM ${table} WHERE client_id = $1::uuid`)
  .join(' UNION ALL ');
const TAKE = `
  SELECT CASE WHEN (SELECT count(*) FROM (${ROWS} LIMIT $2::int) AS counted) < $2::int THEN true
    ELSE pg_try_advisory_xact_lock(hashtextextended('a test client with many rows', 0)) END AS is_ours`;
