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
