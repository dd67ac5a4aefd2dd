/** Accounts that we asked rails to open. The key is written before the rail is asked; a payee has one that is not refused at each rail. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { RailPayee } from '#libs/rail-kit';

/** null until the rail said so, both of them. */
export interface AccountOpening {
  id: string;
  clientId: string;
  payeeId: string;
  provider: string;
  testMode: boolean;
  number: number;
  key: string;
  /** Whom it is for, as the rail is told on every try. */
  asked: RailPayee;
  accountId: string | null;
  refusal: string | null;
}

export type NewOpening = Omit<AccountOpening, 'accountId' | 'refusal'>;
type AtARail = Pick<AccountOpening, 'payeeId' | 'provider' | 'testMode'>;

@Injectable()
export class OpeningStore {
  constructor(private readonly db: Db) {}

  /** The last one at this rail, refused or not. */
  last({ payeeId, provider, testMode }: AtARail): Promise<AccountOpening | null> {
    return this.db.row<AccountOpening>(
      `SELECT * FROM account_openings WHERE payee_id = $1 AND provider = $2 AND test_mode = $3
       ORDER BY number DESC LIMIT 1`,
      [payeeId, provider, testMode],
    );
  }

  async add({ id, clientId, payeeId, provider, testMode, number, key, asked }: NewOpening): Promise<AccountOpening> {
    const added = await this.db.row<AccountOpening>(
      `INSERT INTO account_openings (id, client_id, payee_id, provider, test_mode, number, key, asked)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *`,
      [id, clientId, payeeId, provider, testMode, number, key, asked],
    );
    if (!added) throw new Error(`The opening of an account for payee ${payeeId} was not written.`);
    return added;
  }

  /** The rail named the account. The first name that was written stands. */
  opened(id: string, accountId: string): Promise<AccountOpening | null> {
    return this.db.row<AccountOpening>(
      `UPDATE account_openings SET account_id = coalesce(account_id, $2), updated_at = now()
       WHERE id = $1 AND refusal IS NULL RETURNING *`,
      [id, accountId],
    );
  }

  /** Not if another request heard of an account meanwhile. */
  async refused(id: string, refusal: string): Promise<AccountOpening | null> {
    return this.db.row<AccountOpening>(
      `UPDATE account_openings SET refusal = CASE WHEN account_id IS NULL THEN $2 END, updated_at = now()
       WHERE id = $1 AND refusal IS NULL RETURNING *`,
      [id, refusal],
    );
  }

  /** Nobody is to be paid over it; the name of the account, if there is one, stays on record. */
  async leave(id: string, why: string): Promise<void> {
    await this.db.execute(
      `UPDATE account_openings SET refusal = $2 || coalesce(': ' || account_id, ''), account_id = NULL, updated_at = now()
       WHERE id = $1 AND refusal IS NULL`,
      [id, why],
    );
  }
}
