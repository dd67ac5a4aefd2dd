/** The rail accounts payees are paid over. One account belongs to one payee, over the whole service, for ever. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { Method } from '../payee';

@Injectable()
export class MethodStore {
  constructor(private readonly db: Db) {}

  activeOf(payeeId: string): Promise<Method | null> {
    return this.db.row<Method>(`SELECT * FROM methods WHERE payee_id = $1 AND status = 'active'`, [payeeId]);
  }

  activeOfAll(payeeIds: string[]): Promise<Method[]> {
    return this.db.rows<Method>(`SELECT * FROM methods WHERE payee_id = ANY($1) AND status = 'active'`, [payeeIds]);
  }

  byAccount(provider: string, providerAccountId: string, testMode: boolean): Promise<Method | null> {
    return this.db.row<Method>(
      'SELECT * FROM methods WHERE provider = $1 AND provider_account_id = $2 AND test_mode = $3',
      [provider, providerAccountId, testMode],
    );
  }

  /** Links the account and makes it the payee's active one; null when it belongs to another payee. */
  async activate(method: Omit<Method, 'createdAt' | 'updatedAt' | 'status'>): Promise<Method | null> {
    const { payeeId, provider, providerAccountId } = method;
    await this.db.execute(
      `UPDATE methods SET status = 'replaced', updated_at = now()
       WHERE payee_id = $1 AND status = 'active' AND NOT (provider = $2 AND provider_account_id = $3)`,
      [payeeId, provider, providerAccountId],
    );
    return this.db.row<Method>(ACTIVATE, [
      method.id,
      method.clientId,
      payeeId,
      provider,
      providerAccountId,
      method.testMode,
      method.payable,
      method.accountCountry,
    ]);
  }

  /** Accounts whose rail is to be asked again: soon while they are not payable, once a day when they are. */
  due(limit: number, evenRecent: boolean): Promise<Method[]> {
    return this.db.rows<Method>(DUE, [limit, evenRecent]);
  }

  async checked(methodId: string): Promise<void> {
    await this.db.execute('UPDATE methods SET checked_at = now() WHERE id = $1', [methodId]);
  }

  /** What the rail says of this account; false when it is no longer the one its payee is paid over. */
  async setPayable(methodId: string, payable: boolean, accountCountry: string | null): Promise<boolean> {
    const changed = await this.db.execute(
      `UPDATE methods SET payable = $2, account_country = coalesce($3, account_country), updated_at = now()
       WHERE id = $1 AND status = 'active'`,
      [methodId, payable, accountCountry],
    );
    return changed > 0;
  }
}

const DUE = `
  SELECT methods.* FROM methods JOIN clients ON clients.id = methods.client_id AND clients.status = 'active'
  WHERE methods.status = 'active'
    AND ((NOT payable AND ($2 OR checked_at < now() - interval '45 seconds')) OR (payable AND checked_at < now() - interval '1 day'))
  ORDER BY payable, checked_at LIMIT $1`;

const ACTIVATE = `
  INSERT INTO methods AS method (id, client_id, payee_id, provider, provider_account_id, test_mode, payable, account_country, status)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'active')
  ON CONFLICT (provider, provider_account_id, test_mode) DO UPDATE SET
    payable = excluded.payable, account_country = excluded.account_country, status = 'active', updated_at = now()
    WHERE method.payee_id = excluded.payee_id
  RETURNING *`;
