/** The rails' durable memory, in Postgres: one namespace per rail. */
import type { Db } from '#libs/db';
import type { RailRecord, RailStore } from '#libs/rail-kit';

export class PostgresRailStore implements RailStore {
  constructor(
    private readonly db: Db,
    private readonly rail: string,
  ) {}

  async claim<T extends RailRecord>(key: string, value: T): Promise<T> {
    const mine = await this.db.row<{ value: T }>(
      'INSERT INTO rail_records (rail, key, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING value',
      [this.rail, key, value],
    );
    return mine?.value ?? ((await this.read<T>(key)) as T);
  }

  /** Waits for anybody who is letting the payout go, and then finds either none of its records or all of them. */
  async claimFor<T extends RailRecord>(payoutId: string, key: string, value: T): Promise<T | null> {
    const mine = await this.db.row<{ value: T }>(CLAIM_FOR, [this.rail, key, value, payoutId]);
    return mine?.value ?? this.read<T>(key);
  }

  async read<T extends RailRecord>(key: string): Promise<T | null> {
    const row = await this.db.row<{ value: T }>('SELECT value FROM rail_records WHERE rail = $1 AND key = $2', [
      this.rail,
      key,
    ]);
    return row?.value ?? null;
  }

  update<T extends RailRecord>(key: string, change: (current: T) => T): Promise<T | null> {
    return this.db.inTransaction(async () => {
      const current = await this.db.row<{ value: T }>(
        'SELECT value FROM rail_records WHERE rail = $1 AND key = $2 FOR UPDATE',
        [this.rail, key],
      );
      if (!current) return null;
      const next = change(current.value);
      await this.db.execute(
        'UPDATE rail_records SET value = $3, changed_at = clock_timestamp() WHERE rail = $1 AND key = $2',
        [this.rail, key, next],
      );
      return next;
    });
  }

  list<T extends RailRecord>(since: Date): Promise<{ key: string; value: T; changedAt: Date }[]> {
    return this.db.rows(
      'SELECT key, value, changed_at FROM rail_records WHERE rail = $1 AND changed_at >= $2 ORDER BY changed_at',
      [this.rail, since],
    );
  }
}

const CLAIM_FOR = `
  INSERT INTO rail_records (rail, key, value)
  SELECT $1, $2, $3::jsonb FROM payouts WHERE id = $4 FOR KEY SHARE
  ON CONFLICT DO NOTHING RETURNING value`;
