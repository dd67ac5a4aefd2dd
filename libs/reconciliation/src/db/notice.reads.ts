/** When providers called last: one that fell silent may have lost our address. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';

@Injectable()
export class NoticeReads {
  constructor(private readonly db: Db) {}

  /** By rail; left out are those of which none is kept. */
  async lastOf(rails: string[]): Promise<Map<string, Date>> {
    const rows = await this.db.rows<{ rail: string; lastAt: Date | null }>(
      `SELECT rail, (SELECT max(received_at) FROM rail_notices WHERE rail_notices.rail = asked.rail) AS last_at
       FROM unnest($1::text[]) AS asked (rail)`,
      [rails],
    );
    return new Map(rows.flatMap(({ rail, lastAt }) => (lastAt ? [[rail, lastAt]] : [])));
  }
}
