/** The deployment's country table: which rails serve a country, in order of preference, and which countries are blocked. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';

export interface RouteRow {
  country: string;
  rails: string[];
  blocked: boolean;
}

export interface RoutingTable {
  rails: Record<string, string[]>;
  blocked: ReadonlySet<string>;
}

@Injectable()
export class RouteStore {
  constructor(private readonly db: Db) {}

  rows(): Promise<RouteRow[]> {
    return this.db.rows<RouteRow>('SELECT country, rails, blocked FROM routes ORDER BY country');
  }

  /** For a change: of two at once the second waits and then replaces what the first made. */
  async lockRows(): Promise<RouteRow[]> {
    await this.db.execute('LOCK TABLE routes IN SHARE ROW EXCLUSIVE MODE');
    return this.rows();
  }

  async table(): Promise<RoutingTable> {
    const rows = await this.rows();
    const withRails = rows.filter(({ rails }) => rails.length > 0);
    return {
      rails: Object.fromEntries(withRails.map(({ country, rails }) => [country, rails])),
      blocked: new Set(rows.filter(({ blocked }) => blocked).map(({ country }) => country)),
    };
  }

  async replace(rows: RouteRow[]): Promise<void> {
    await this.db.inTransaction(async () => {
      await this.db.execute('DELETE FROM routes');
      for (const { country, rails, blocked } of rows)
        await this.db.execute('INSERT INTO routes (country, rails, blocked) VALUES ($1, $2, $3)', [
          country,
          rails,
          blocked,
        ]);
    });
  }
}
