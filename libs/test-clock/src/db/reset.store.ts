/** Takes the rows of a test client, in the transaction of whoever asks for it. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { keepsRecords, type RecordsKept } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { GOES, RAIL_RECORDS_OF } from './client-rows';
import { takeTurn } from './long-turn';

@Injectable()
export class ResetStore {
  constructor(
    private readonly db: Db,
    private readonly rails: Rails,
  ) {}

  /**
   * Nobody decides on the client's money, nobody adds a row of it, and no list of a rail is compared meanwhile. Who adds one holds
   * its payee or its payout first, so these are held before the client, and those that came meanwhile after it.
   */
  async hold(clientId: string): Promise<void> {
    await takeTurn(this.db, clientId);
    for (const lock of LOCKS) await this.db.execute(lock, [clientId]);
    await this.db.execute(NOT_COMPARED, [this.keeping().map(({ rail }) => rail)]);
  }

  /** How many rows of each table were there. */
  async clear(clientId: string): Promise<Map<string, number>> {
    await this.db.execute(`SELECT set_config('gateway.resetting_client', $1, true)`, [clientId]);
    for (const { rail, records } of this.keeping())
      for (const [of, statement] of RECORDS_GO) await this.db.execute(statement, [clientId, rail, records[of]]);
    const gone = new Map<string, number>();
    for (const [table, rows] of Object.entries(GOES))
      gone.set(table, await this.db.execute(`DELETE FROM ${table} WHERE ${rows}`, [clientId]));
    for (const statement of YOUNG_AGAIN) await this.db.execute(statement, [clientId]);
    // Last: whoever has these rows, another reset that ends, has them for a moment, and all of this is not to be done again for that.
    await this.db.waitsAsUsual();
    await this.db.execute(COUNTS, [this.keeping().map(({ rail }) => rail)]);
    return gone;
  }

  private keeping(): { rail: string; records: RecordsKept }[] {
    return this.rails
      .all()
      .flatMap(({ definition: { name }, rail }) =>
        rail && keepsRecords(rail) ? [{ rail: name, records: rail.recordsKept() }] : [],
      );
  }
}

const ROWS = ['payees', 'payouts', 'wallets', 'disbursements'];
const inOrder = (table: string, mode: string): string =>
  `SELECT FROM ${table} WHERE client_id = $1 ORDER BY ${table === 'wallets' ? 'currency' : 'id'} FOR ${mode}`;
const LOCKS = [
  'SELECT FROM clients WHERE id = $1 FOR NO KEY UPDATE',
  ...ROWS.map((table) => inOrder(table, 'NO KEY UPDATE')),
  'SELECT FROM clients WHERE id = $1 FOR UPDATE',
  ...ROWS.map((table) => inOrder(table, 'UPDATE')),
];

/** Any number of resets have this lock at once, and count one after the other as they end: only who compares a list is kept out by it. */
const NOT_COMPARED = 'SELECT FROM rail_scans WHERE rail = ANY($1) FOR KEY SHARE';
const COUNTS = 'UPDATE rail_scans SET resets = resets + 1 WHERE rail = ANY($1)';

/** No test client is younger than what it keeps. What had ended has ended: no clock that is late may find a key of it good. */
const ENDED = 'expires_at = CASE WHEN expires_at <= now() THEN now() ELSE expires_at END';
const YOUNG_AGAIN = [
  'UPDATE clients SET created_at = now(), updated_at = now() WHERE id = $1',
  `UPDATE client_keys SET created_at = now(), ${ENDED},
     revoked_at = CASE WHEN revoked_at IS NOT NULL OR expires_at <= now() THEN now() END WHERE client_id = $1`,
  `UPDATE signing_secrets SET created_at = now(), ${ENDED} WHERE client_id = $1`,
];

const RECORDS_GO = Object.entries(RAIL_RECORDS_OF).map(
  ([of, keys]) => [of as keyof RecordsKept, `DELETE FROM rail_records WHERE rail = $2 AND key IN (${keys})`] as const,
);
