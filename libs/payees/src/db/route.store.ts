/** Replaces the country table. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { RouteRow } from './route.reads';

@Injectable()
export class RouteStore {
  constructor(private readonly db: Db) {}

  /** Of two changes at once the second waits, and then replaces what the first made. */
  async lock(): Promise<void> {
    await this.db.execute('LOCK TABLE routes IN SHARE ROW EXCLUSIVE MODE');
  }

  async replace(rows: RouteRow[]): Promise<void> {
    await this.db.execute('DELETE FROM routes');
    await this.db.execute(
      `INSERT INTO routes (country, rails, blocked)
       SELECT country, ARRAY(SELECT json_array_elements_text(rails)), blocked
       FROM json_to_recordset($1::json) AS t (country text, rails json, blocked boolean)`,
      [JSON.stringify(rows)],
    );
  }
}
