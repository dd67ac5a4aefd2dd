/** Payouts that a rail has, and that did not come to rest. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';

@Injectable()
export class SubmittedReads {
  constructor(private readonly db: Db) {}

  /** The ids of those that were made by then, in their order and from after that one: clients go on meanwhile. */
  async page(madeBy: string, after: string | null, limit: number): Promise<string[]> {
    const rows = await this.db.rows<{ id: string }>(
      `SELECT id FROM payouts WHERE status = 'submitted' AND created_at <= $1::timestamptz AND ($2::uuid IS NULL OR id > $2)
       ORDER BY id LIMIT $3`,
      [madeBy, after, limit],
    );
    return rows.map(({ id }) => id);
  }
}
