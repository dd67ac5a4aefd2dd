/**
 * A rail that this service has, and that its restored database never heard of, may have been configured, and paid over, in the time that was lost. It
 * is waited for like those that were used before, from before anything is sent or listed (ADR 106); so it is if the database is found elsewhere while
 * the service runs (ADR 129).
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabasePlace, Db } from '#libs/db';
import { TEST_RAIL } from '#libs/rail-kit';
import { Rails } from './rails';

@Injectable()
export class UnheardOfRails implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly place: DatabasePlace,
    private readonly rails: Rails,
  ) {}

  async onModuleInit(): Promise<void> {
    const configured = this.rails.all().flatMap(({ definition: { name }, rail }) => (rail ? name : []));
    const mark = { text: MARK, values: [configured.filter((name) => name !== TEST_RAIL)] };
    this.place.alsoMark(mark);
    await this.db.execute(mark.text, mark.values);
  }
}

/** What is configured later than a day after the restore is a new rail. Its list counts from the newest that the backup had on. */
const MARK = `
  INSERT INTO rail_scans (rail, scanned_until, restored_at)
  SELECT rail, least(restored.at - interval '11 minutes', coalesce((SELECT max(created_at) FROM payouts WHERE created_at < restored.at),
    (SELECT max(created_at) FROM disbursements WHERE created_at < restored.at))), restored.at
  FROM unnest($1::text[]) AS configured (rail) CROSS JOIN (SELECT max(restored_at) AS at FROM restores) AS restored
  WHERE restored.at > now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM rail_accounts WHERE rail_accounts.rail = configured.rail)
  ON CONFLICT (rail) DO NOTHING`;
