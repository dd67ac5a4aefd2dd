/** The append-only log of what operators did. It is written in the transaction of the deed. */
import { Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import { Db, lockName } from '#libs/db';

export interface AuditEntry {
  actor: string;
  action: string;
  clientId?: string;
  target?: string;
  before?: unknown;
  after?: unknown;
}

/** What is shown once cannot be asked for again: it is looked up for longer than anything else. */
const AS_LONG_AS_A_FAILOVER_MS = 15_000;

@Injectable()
export class AuditStore {
  constructor(private readonly db: Db) {}

  async add({ actor, action, clientId, target, before, after }: AuditEntry, line = newId()): Promise<void> {
    await this.db.execute(
      'INSERT INTO audit_log (id, actor, action, client_id, target, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [line, actor, action, clientId ?? null, target ?? null, json(before), json(after)],
    );
  }

  /**
   * What is shown once, made in one transaction with its line: by that it is found if the answer to the commit was lost. The commit may still be under
   * way: the lock is held until it is over.
   */
  async shownOnce<T>(make: (line: string) => Promise<T>): Promise<T> {
    const line = newId();
    let made: T | null = null;
    const isThere = () => this.db.row('SELECT FROM audit_log WHERE id = $1', [line]);
    return this.db.foundAgain(
      () =>
        this.db.inTransaction(async () => {
          await lockName(this.db, line);
          return (made = await make(line));
        }),
      async () => {
        await lockName(this.db, line);
        return (await isThere()) ? made : null;
      },
      AS_LONG_AS_A_FAILOVER_MS,
    );
  }
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
