/** The rows of payees. A payee's lock is what makes decisions about it happen one after the other. */
import { Injectable } from '@nestjs/common';
import { Db, goneMeanwhile } from '#libs/db';
import type { Payee } from '../payee';

@Injectable()
export class PayeeStore {
  constructor(private readonly db: Db) {}

  /** Locks in the order of ids, so that two callers with the same payees never wait for each other in a circle. */
  lockAll(ids: string[]): Promise<Payee[]> {
    return this.db.rows<Payee>('SELECT * FROM payees WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE', [ids]);
  }

  /** Locks those that nobody else holds; `busy` are there too, and held. */
  async lockFree(ids: string[]): Promise<{ free: Payee[]; busy: string[] }> {
    const free = await this.db.rows<Payee>(
      'SELECT * FROM payees WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED',
      [ids],
    );
    if (free.length === ids.length) return { free, busy: [] };
    const mine = new Set(free.map(({ id }) => id));
    const others = ids.filter((id) => !mine.has(id));
    const there = await this.db.rows<{ id: string }>('SELECT id FROM payees WHERE id = ANY($1)', [others]);
    return { free, busy: there.map(({ id }) => id) };
  }

  async lock(clientId: string, id: string): Promise<Payee | null> {
    return this.db.row<Payee>('SELECT * FROM payees WHERE client_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      clientId,
      id,
    ]);
  }

  lockByExternalId(clientId: string, externalId: string): Promise<Payee | null> {
    return this.db.row<Payee>('SELECT * FROM payees WHERE client_id = $1 AND external_id = $2 FOR NO KEY UPDATE', [
      clientId,
      externalId,
    ]);
  }

  /** null when somebody else made it first. */
  insert(id: string, clientId: string, externalId: string): Promise<Payee | null> {
    return this.db.row<Payee>(
      `INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status)
       VALUES ($1, $2, $3, false, 'not_started', 'not_started')
       ON CONFLICT (client_id, external_id) DO NOTHING RETURNING *`,
      [id, clientId, externalId],
    );
  }

  /** New payees whose externalId is free; the others are left as they are. */
  async insertAll(payees: Payee[]): Promise<void> {
    await this.db.execute(
      `INSERT INTO payees (id, client_id, external_id, email, provider, payable, kyc_status, onboarding_status)
       SELECT id, client_id, external_id, email, provider, payable, 'not_started', 'not_started'
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[])
         AS t (id, client_id, external_id, email, provider, payable)
       ORDER BY external_id ON CONFLICT (client_id, external_id) DO NOTHING`,
      [
        payees.map(({ id }) => id),
        payees.map(({ clientId }) => clientId),
        payees.map(({ externalId }) => externalId),
        payees.map(({ email }) => email),
        payees.map(({ provider }) => provider),
        payees.map(({ payable }) => payable),
      ],
    );
  }

  async save(payee: Payee): Promise<Payee> {
    const saved = await this.db.row<Payee>(SAVE, [
      payee.id,
      payee.email,
      payee.name,
      payee.country,
      payee.metadata,
      payee.provider,
      payee.payable,
      payee.kycStatus,
      payee.kycReason,
      payee.onboardingStatus,
      payee.blocked,
      payee.blockReason,
      payee.coolingUntil,
      payee.eventSequence,
      payee.emailChangedAt,
      payee.locale,
      payee.identityChangedAt,
    ]);
    if (!saved) throw goneMeanwhile(`Payee ${payee.id}`);
    return saved;
  }
}

const SAVE = `
  UPDATE payees SET (email, name, country, metadata, provider, payable, kyc_status, kyc_reason, onboarding_status,
    blocked, block_reason, cooling_until, event_sequence, email_changed_at, locale, identity_changed_at,
    updated_at) =
    ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, now())
  WHERE id = $1 RETURNING *`;
