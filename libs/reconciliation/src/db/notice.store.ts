/** The notices that were taken: a repeated one is not worth a question at once. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';

@Injectable()
export class NoticeStore {
  constructor(private readonly db: Db) {}

  async isNew(rail: string, noticeId: string): Promise<boolean> {
    const inserted = await this.db.execute(
      'INSERT INTO rail_notices (rail, notice_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [rail, noticeId],
    );
    return inserted > 0;
  }

  /** So many at most of those that are older. */
  forget(days: number, most: number): Promise<number> {
    return this.db.execute(
      `DELETE FROM rail_notices WHERE (rail, notice_id) IN
         (SELECT rail, notice_id FROM rail_notices WHERE received_at < now() - $1 * interval '1 day' LIMIT $2)`,
      [days, most],
    );
  }
}
