/** The append-only log of what operators did. It is written in the transaction of the deed. */
import { Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import { Db } from '#libs/db';

export interface AuditEntry {
  actor: string;
  action: string;
  clientId?: string;
  target?: string;
  before?: unknown;
  after?: unknown;
}

@Injectable()
export class AuditStore {
  constructor(private readonly db: Db) {}

  async add({ actor, action, clientId, target, before, after }: AuditEntry): Promise<void> {
    await this.db.execute(
      'INSERT INTO audit_log (id, actor, action, client_id, target, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [newId(), actor, action, clientId ?? null, target ?? null, json(before), json(after)],
    );
  }
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
