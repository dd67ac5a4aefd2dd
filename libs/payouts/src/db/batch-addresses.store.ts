/** Whom the addresses of a batch were found to be, when it was first sent. The key of a batch stands here as its digest. */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';

export interface AddressedBatch {
  clientId: string;
  batchKey: string;
}

@Injectable()
export class BatchAddressesStore {
  constructor(private readonly db: Db) {}

  /** By address, those that are known. */
  async find({ clientId, batchKey }: AddressedBatch, emails: string[]): Promise<Map<string, string>> {
    if (emails.length === 0) return new Map();
    const rows = await this.db.rows<{ email: string; payeeId: string }>(
      'SELECT email, payee_id FROM batch_addresses WHERE client_id = $1 AND batch = $2 AND email = ANY($3)',
      [clientId, digest(batchKey), emails],
    );
    return new Map(rows.map(({ email, payeeId }) => [email, payeeId]));
  }

  /** Keeps these; if the same batch was sent twice at once, the first counts for both. */
  async keep(batch: AddressedBatch, payees: Map<string, string>): Promise<Map<string, string>> {
    if (payees.size === 0) return payees;
    await this.db.execute(
      `INSERT INTO batch_addresses (client_id, batch, email, payee_id)
       SELECT $1, $2, email, payee_id FROM unnest($3::text[], $4::uuid[]) AS t (email, payee_id)
       ORDER BY email ON CONFLICT DO NOTHING`,
      [batch.clientId, digest(batch.batchKey), [...payees.keys()], [...payees.values()]],
    );
    return this.find(batch, [...payees.keys()]);
  }
}

const digest = (batchKey: string): Buffer => createHash('sha256').update(batchKey).digest();
