/** How payees are read: one, or a list. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { KycStatus, ListPlace } from '#libs/domain';
import type { Payee } from '../payee';

export interface PayeeFilter {
  clientId: string;
  kyc?: KycStatus;
  payable?: boolean;
  email?: string;
  externalId?: string;
}

@Injectable()
export class PayeeReads {
  constructor(private readonly db: Db) {}

  find(clientId: string, id: string): Promise<Payee | null> {
    return this.db.row<Payee>('SELECT * FROM payees WHERE client_id = $1 AND id = $2', [clientId, id]);
  }

  /** Whoever it belongs to: for operators. */
  findAny(id: string): Promise<Payee | null> {
    return this.db.row<Payee>('SELECT * FROM payees WHERE id = $1', [id]);
  }

  /** All payees of a client in the order of ids, from after that one. */
  page(clientId: string, after: string | null, limit: number): Promise<Payee[]> {
    return this.db.rows<Payee>(
      'SELECT * FROM payees WHERE client_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3',
      [clientId, after, limit],
    );
  }

  async oldestByEmail(clientId: string, emails: string[]): Promise<Map<string, string>> {
    const rows = await this.db.rows<{ id: string; email: string }>(
      `SELECT DISTINCT ON (email) id, email FROM payees WHERE client_id = $1 AND email = ANY($2)
       ORDER BY email, created_at, id`,
      [clientId, emails],
    );
    return new Map(rows.map(({ email, id }) => [email, id]));
  }

  async idsByExternalId(clientId: string, externalIds: string[]): Promise<Map<string, string>> {
    const rows = await this.db.rows<{ id: string; externalId: string }>(
      'SELECT id, external_id FROM payees WHERE client_id = $1 AND external_id = ANY($2)',
      [clientId, externalIds],
    );
    return new Map(rows.map(({ externalId, id }) => [externalId, id]));
  }

  list(filter: PayeeFilter, after: ListPlace | null, limit: number): Promise<(Payee & ListPlace)[]> {
    return this.db.rows<Payee & ListPlace>(LIST, [
      filter.clientId,
      filter.kyc ?? null,
      filter.payable ?? null,
      filter.email ?? null,
      filter.externalId ?? null,
      after?.createdUs ?? null,
      after?.id ?? null,
      limit,
    ]);
  }
}

const LIST = `
  SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM payees
  WHERE client_id = $1
    AND ($2::text IS NULL OR kyc_status = $2) AND ($3::boolean IS NULL OR payable = $3)
    AND ($4::text IS NULL OR email = $4) AND ($5::text IS NULL OR external_id = $5)
    AND ($6::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $6::bigint * interval '1 microsecond', $7::uuid))
  ORDER BY created_at DESC, id DESC LIMIT $8 + 1`;
