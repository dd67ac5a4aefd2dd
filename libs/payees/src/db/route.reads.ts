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
export class RouteReads {
  constructor(private readonly db: Db) {}

  rows(): Promise<RouteRow[]> {
    return this.db.rows<RouteRow>('SELECT country, rails, blocked FROM routes ORDER BY country');
  }

  async table(): Promise<RoutingTable> {
    const rows = await this.rows();
    const withRails = rows.filter(({ rails }) => rails.length > 0);
    return {
      rails: Object.fromEntries(withRails.map(({ country, rails }) => [country, rails])),
      blocked: new Set(rows.filter(({ blocked }) => blocked).map(({ country }) => country)),
    };
  }
}
