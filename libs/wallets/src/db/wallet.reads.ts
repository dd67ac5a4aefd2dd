/** How wallets and their entries are read. */
import { Injectable } from '@nestjs/common';
import type { ListPlace } from '#libs/domain';
import { Db, isAfterPlace } from '#libs/db';
import type { Wallet, WalletEntry } from '../wallet';

@Injectable()
export class WalletReads {
  constructor(private readonly db: Db) {}

  of(clientId: string): Promise<Wallet[]> {
    return this.db.rows<Wallet>('SELECT * FROM wallets WHERE client_id = $1 ORDER BY currency', [clientId]);
  }

  entries(clientId: string, after: ListPlace | null, limit: number): Promise<(WalletEntry & ListPlace)[]> {
    return this.db.rows<WalletEntry & ListPlace>(ENTRIES, [
      clientId,
      after?.createdUs ?? null,
      after?.id ?? null,
      limit,
    ]);
  }
}

const ENTRIES = `
  SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM wallet_entries
  WHERE client_id = $1
    AND ($2::bigint IS NULL OR ${isAfterPlace({ table: 'wallet_entries', clientId: '$1' }, '$2', '$3')})
  ORDER BY created_at DESC, id DESC LIMIT $4 + 1`;
