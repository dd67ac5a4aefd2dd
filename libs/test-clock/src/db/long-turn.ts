/**
 * Whoever has all rows of a client that has many keeps what is asked of that client waiting, in connections and places that others need.
 * One such client at a time is survived by all others, two are not: so one has its turn, over all processes, and who asked first comes first.
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

/** Who was told that it is not its turn. Its place counts as long as it waits, or comes again when it is told to. */
export const standInLine = (db: Db, clientId: string): Promise<number> => db.execute(STAND, [clientId]);

/** Who waits. It gives no place to who has none, or has it no more: it may come after they left. */
export const keepPlace = (db: Db, clientId: string): Promise<number> => db.execute(KEEP, [clientId]);

/** Who had its turn, whatever came of it: for the next one it stands behind all others. */
export const leaveLine = (db: Db, clientId: string): Promise<number> =>
  db.execute('DELETE FROM long_turns WHERE client_id = $1', [clientId]);

const NOT_ITS_TURN =
  'The clock of this test client, or of another one with many payouts, is moving, or one is being reset, which takes up to half a minute. ' +
  'Nothing was done: send the same request again, signed anew.';

/** Of a client these may be very many; all else that it has hangs on them. */
const ROWS = ['payees', 'payouts', 'disbursements', 'wallet_entries', 'events']
  .map((table) => `SELECT 1 FROM ${table} WHERE client_id = $1::uuid`)
  .join(' UNION ALL ');
/** Seen lately; a row of later than now is one from before the clock of the database was set back. */
const STILL_WAITS = `looked_at BETWEEN now() - interval '3 seconds' AND now() + interval '1 minute'`;
const OURS = `SELECT asked_at FROM long_turns WHERE client_id = $1::uuid AND ${STILL_WAITS}`;
const ASKED_BEFORE = `SELECT FROM long_turns WHERE client_id <> $1::uuid AND ${STILL_WAITS} AND asked_at < coalesce((${OURS}), now())`;
const TAKE = `
  SELECT CASE WHEN (SELECT count(*) FROM (${ROWS} LIMIT $2::int) AS counted) < $2::int THEN true
    WHEN EXISTS (${ASKED_BEFORE}) THEN false
    ELSE pg_try_advisory_xact_lock(hashtextextended('a test client with many rows', 0)) END AS is_ours`;
const STAND = `
  INSERT INTO long_turns AS known (client_id) VALUES ($1)
  ON CONFLICT (client_id) DO UPDATE SET looked_at = now(), asked_at = coalesce((${OURS}), now())`;
const KEEP = `UPDATE long_turns SET looked_at = now() WHERE client_id = $1::uuid AND ${STILL_WAITS}`;
