/** Clients, their keys and their sealed signing secrets, as they are read. */
import { Injectable } from '@nestjs/common';
import type { ListPlace } from '#libs/domain';
import { Db } from '#libs/db';
import type { Client } from '../client';

export interface KeyRow {
  id: string;
  clientId: string;
  hint: string;
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

export interface SecretRow {
  id: string;
  clientId: string;
  sealed: string;
  expiresAt: Date | null;
}

/** ClientRules as JSON, for statements that read them beside what they decide about. */
export const CLIENT_RULES = `json_build_object('name', clients.name, 'status', clients.status,
  'railAllowList', clients.rail_allow_list, 'prepaid', clients.prepaid, 'caps', clients.caps, 'floors', clients.floors,
  'withdrawPolicy', clients.withdraw_policy,
  'coolDownSeconds', clients.cool_down_seconds,
  'autoRelease', clients.auto_release,
  'checksPayees', clients.checks_payees)`;

export const KEY = 'id, client_id, hint, expires_at, revoked_at, created_at';

export const ENDED_KEYS_LISTED = 100;

const IS_GOOD = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())';

@Injectable()
export class ClientReads {
  constructor(private readonly db: Db) {}

  find(id: string): Promise<Client | null> {
    return this.db.row<Client>('SELECT * FROM clients WHERE id = $1', [id]);
  }

  findAll(ids: string[]): Promise<Client[]> {
    return this.db.rows<Client>('SELECT * FROM clients WHERE id = ANY($1::uuid[])', [ids]);
  }

  /** Newest first. */
  list(after: ListPlace | null, limit: number): Promise<(Client & ListPlace)[]> {
    return this.db.rows<Client & ListPlace>(LIST, [after?.createdUs ?? null, after?.id ?? null, limit]);
  }

  async ids(): Promise<string[]> {
    return (await this.db.rows<{ id: string }>('SELECT id FROM clients')).map(({ id }) => id);
  }

  findKeys(digests: Buffer[]): Promise<(KeyRow & { digest: Buffer })[]> {
    return this.db.rows(`SELECT ${KEY}, digest FROM client_keys WHERE digest = ANY($1::bytea[])`, [digests]);
  }

  key(clientId: string, id: string): Promise<KeyRow | null> {
    return this.db.row<KeyRow>(`SELECT ${KEY} FROM client_keys WHERE client_id = $1 AND id = $2`, [clientId, id]);
  }

  /** Those that are good, and the latest of those that ended: there may be as many as the client ever asked for. */
  keysOf(clientId: string): Promise<KeyRow[]> {
    return this.db.rows<KeyRow>(KEYS_OF, [clientId, ENDED_KEYS_LISTED]);
  }

  /** Valid at this moment, however old the current transaction is. */
  goodKeysOf(clientId: string): Promise<KeyRow[]> {
    return this.db.rows<KeyRow>(
      `SELECT ${KEY} FROM client_keys WHERE client_id = $1 AND ${IS_GOOD} ORDER BY created_at, id`,
      [clientId],
    );
  }

  /** A key that is valid at this moment, however old the current transaction is. */
  goodKey(keyDigest: Buffer): Promise<KeyRow | null> {
    return this.db.row<KeyRow>(`SELECT ${KEY} FROM client_keys WHERE digest = $1 AND ${IS_GOOD}`, [keyDigest]);
  }

  async keyIdOf(keyDigest: Buffer): Promise<string | null> {
    const row = await this.db.row<{ id: string }>('SELECT id FROM client_keys WHERE digest = $1', [keyDigest]);
    return row?.id ?? null;
  }

  /** Secrets that are valid at this moment, however old the current transaction is; of each client the one that signs comes first. */
  secretsOf(clientIds: string[]): Promise<SecretRow[]> {
    return this.db.rows<SecretRow>(
      `SELECT id, client_id, sealed, expires_at FROM signing_secrets
       WHERE client_id = ANY($1::uuid[]) AND (expires_at IS NULL OR expires_at > clock_timestamp())
       ORDER BY created_at DESC, id DESC`,
      [clientIds],
    );
  }

  /** Sealed secrets in the order of their ids, a page at a time. */
  secretsAfter(id: string, limit: number): Promise<SecretRow[]> {
    return this.db.rows<SecretRow>(
      'SELECT id, client_id, sealed, expires_at FROM signing_secrets WHERE id > $1 ORDER BY id LIMIT $2',
      [id, limit],
    );
  }
}

const KEYS_OF = `
  WITH keys AS (SELECT ${KEY}, ${IS_GOOD} AS good FROM client_keys WHERE client_id = $1), listed AS (
    SELECT * FROM keys WHERE good
    UNION ALL
    (SELECT * FROM keys WHERE NOT good ORDER BY created_at DESC, id DESC LIMIT $2)
  )
  SELECT ${KEY} FROM listed ORDER BY created_at, id`;

const LIST = `
  SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM clients
  WHERE $1::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $1::bigint * interval '1 microsecond', $2::uuid)
  ORDER BY created_at DESC, id DESC LIMIT $3 + 1`;
