/** The rows of clients, their keys and their sealed signing secrets. */
import { Injectable } from '@nestjs/common';
import type { ListPlace } from '#libs/domain';
import { Db } from '#libs/db';
import type { Client, ClientSettings } from '../client';

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

@Injectable()
export class ClientStore {
  constructor(private readonly db: Db) {}

  find(id: string): Promise<Client | null> {
    return this.db.row<Client>('SELECT * FROM clients WHERE id = $1', [id]);
  }

  lock(id: string): Promise<Client | null> {
    return this.db.row<Client>('SELECT * FROM clients WHERE id = $1 FOR NO KEY UPDATE', [id]);
  }

  list(after: ListPlace | null, limit: number): Promise<(Client & ListPlace)[]> {
    return this.db.rows<Client & ListPlace>(LIST, [after?.createdUs ?? null, after?.id ?? null, limit]);
  }

  async ids(): Promise<string[]> {
    return (await this.db.rows<{ id: string }>('SELECT id FROM clients')).map(({ id }) => id);
  }

  insert(id: string, settings: ClientSettings): Promise<Client | null> {
    return this.db.row<Client>(INSERT, [id, ...columns(settings)]);
  }

  update(id: string, settings: ClientSettings): Promise<Client | null> {
    return this.db.row<Client>(UPDATE, [id, ...columns(settings)]);
  }

  findKeys(digests: Buffer[]): Promise<(KeyRow & { digest: Buffer })[]> {
    return this.db.rows(`SELECT ${KEY}, digest FROM client_keys WHERE digest = ANY($1::bytea[])`, [digests]);
  }

  keysOf(clientId: string): Promise<KeyRow[]> {
    return this.db.rows<KeyRow>(`SELECT ${KEY} FROM client_keys WHERE client_id = $1 ORDER BY created_at, id`, [
      clientId,
    ]);
  }

  async insertKey(key: { id: string; clientId: string; hint: string; digest: Buffer }): Promise<void> {
    await this.db.execute('INSERT INTO client_keys (id, client_id, hint, digest) VALUES ($1, $2, $3, $4)', [
      key.id,
      key.clientId,
      key.hint,
      key.digest,
    ]);
  }

  /** Keys that would live longer than the overlap end with it. */
  async expireKeys(clientId: string, overlapSeconds: number): Promise<void> {
    await this.db.execute(
      `UPDATE client_keys SET expires_at = LEAST(expires_at, now() + $2 * interval '1 second')
       WHERE client_id = $1 AND revoked_at IS NULL`,
      [clientId, overlapSeconds],
    );
  }

  async revokeKey(clientId: string, keyId: string): Promise<KeyRow | null> {
    return this.db.row<KeyRow>(
      `UPDATE client_keys SET revoked_at = coalesce(revoked_at, now()) WHERE client_id = $1 AND id = $2 RETURNING ${KEY}`,
      [clientId, keyId],
    );
  }

  /** Secrets that still verify, the one that signs first. */
  secretsOf(clientId: string): Promise<SecretRow[]> {
    return this.db.rows<SecretRow>(
      `SELECT id, client_id, sealed, expires_at FROM signing_secrets
       WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now()) ORDER BY created_at DESC, id DESC`,
      [clientId],
    );
  }

  async insertSecret(secret: { id: string; clientId: string; sealed: string }): Promise<void> {
    await this.db.execute('INSERT INTO signing_secrets (id, client_id, sealed) VALUES ($1, $2, $3)', [
      secret.id,
      secret.clientId,
      secret.sealed,
    ]);
  }

  async expireSecrets(clientId: string, overlapSeconds: number): Promise<void> {
    await this.db.execute(
      `UPDATE signing_secrets SET expires_at = LEAST(expires_at, now() + $2 * interval '1 second') WHERE client_id = $1`,
      [clientId, overlapSeconds],
    );
  }

  /** Sealed secrets in the order of their ids, a page at a time. */
  secretsAfter(id: string, limit: number): Promise<SecretRow[]> {
    return this.db.rows<SecretRow>(
      'SELECT id, client_id, sealed, expires_at FROM signing_secrets WHERE id > $1 ORDER BY id LIMIT $2',
      [id, limit],
    );
  }

  /** Changes the seal only if nobody else did meanwhile. */
  async reseal(id: string, from: string, to: string): Promise<boolean> {
    return (
      (await this.db.execute('UPDATE signing_secrets SET sealed = $3 WHERE id = $1 AND sealed = $2', [id, from, to])) >
      0
    );
  }
}

/** ClientRules as JSON, for statements that read them beside what they decide about. */
export const CLIENT_RULES = `json_build_object('status', clients.status, 'railAllowList', clients.rail_allow_list,
  'prepaid', clients.prepaid, 'caps', clients.caps, 'floors', clients.floors, 'withdrawPolicy', clients.withdraw_policy,
  'coolDownSeconds', clients.cool_down_seconds)`;

const KEY = 'id, client_id, hint, expires_at, revoked_at, created_at';

const COLUMNS = `name, status, test_mode, status_version, scopes, webhook_url, event_types, rail_allow_list, prepaid,
  default_currency, caps, floors, withdraw_policy, rate_limit_per_minute, require_signature_v2, cool_down_seconds`;

function columns(settings: ClientSettings): unknown[] {
  return [
    settings.name,
    settings.status,
    settings.testMode,
    settings.statusVersion,
    settings.scopes,
    settings.webhookUrl,
    settings.eventTypes,
    settings.railAllowList,
    settings.prepaid,
    settings.defaultCurrency,
    settings.caps,
    settings.floors,
    settings.withdrawPolicy,
    settings.rateLimitPerMinute,
    settings.requireSignatureV2,
    settings.coolDownSeconds,
  ];
}

const INSERT = `
  INSERT INTO clients (id, ${COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
  RETURNING *`;

const UPDATE = `
  UPDATE clients SET (${COLUMNS}, updated_at) =
    ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, now())
  WHERE id = $1 RETURNING *`;

const LIST = `
  SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM clients
  WHERE $1::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $1::bigint * interval '1 microsecond', $2::uuid)
  ORDER BY created_at DESC, id DESC LIMIT $3 + 1`;
