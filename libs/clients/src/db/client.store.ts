/** Writes clients, their keys and their sealed signing secrets. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { Client, ClientSettings } from '../client';
import { KEY, type KeyRow } from './client.reads';

@Injectable()
export class ClientStore {
  constructor(private readonly db: Db) {}

  lock(id: string): Promise<Client | null> {
    return this.db.row<Client>('SELECT * FROM clients WHERE id = $1 FOR NO KEY UPDATE', [id]);
  }

  /** null: there is one of that id. */
  insert(id: string, settings: ClientSettings): Promise<Client | null> {
    return this.db.row<Client>(INSERT, [id, ...columns(settings)]);
  }

  async update(id: string, settings: ClientSettings): Promise<Client> {
    const client = await this.db.row<Client>(UPDATE, [id, ...columns(settings)]);
    if (!client) throw new Error(`Client ${id} is gone.`);
    return client;
  }

  async insertKey(key: { id: string; clientId: string; hint: string; digest: Buffer }): Promise<void> {
    await this.db.execute('INSERT INTO client_keys (id, client_id, hint, digest) VALUES ($1, $2, $3, $4)', [
      key.id,
      key.clientId,
      key.hint,
      key.digest,
    ]);
  }

  /** Keys that would live longer than the overlap end with it. Those that have ended, of which there may be very many, stay as they are. */
  async expireKeys(clientId: string, overlapSeconds: number): Promise<void> {
    await this.db.execute(
      `UPDATE client_keys SET expires_at = LEAST(expires_at, now() + $2 * interval '1 second')
       WHERE client_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
      [clientId, overlapSeconds],
    );
  }

  async revokeKey(clientId: string, keyId: string): Promise<KeyRow | null> {
    return this.db.row<KeyRow>(
      `UPDATE client_keys SET revoked_at = coalesce(revoked_at, now()) WHERE client_id = $1 AND id = $2 RETURNING ${KEY}`,
      [clientId, keyId],
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
      `UPDATE signing_secrets SET expires_at = LEAST(expires_at, now() + $2 * interval '1 second')
       WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now())`,
      [clientId, overlapSeconds],
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

const COLUMNS = `name, status, test_mode, status_version, scopes, webhook_url, event_types, rail_allow_list, prepaid,
  default_currency, caps, floors, withdraw_policy, rate_limit_per_minute, require_signature_v2, cool_down_seconds,
  locale, brand, auto_release, mails, checks_payees`;

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
    settings.locale,
    settings.brand,
    settings.autoRelease,
    settings.mails,
    settings.checksPayees,
  ];
}

const INSERT = `
  INSERT INTO clients (id, ${COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
  ON CONFLICT (id) DO NOTHING RETURNING *`;

const UPDATE = `
  UPDATE clients SET (${COLUMNS}, updated_at) =
    ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, now())
  WHERE id = $1 RETURNING *`;
