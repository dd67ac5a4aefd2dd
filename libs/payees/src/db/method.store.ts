/** The rail accounts payees are paid over. One account belongs to one payee, over the whole service, for ever. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { TEST_RAIL } from '#libs/rail-kit';
import type { Method } from '../payee';
import { DUE, firstQuestion, NEXT_QUESTION } from './standing-turns';

/** What a rail said of an account, and when it was asked. */
export interface AccountState {
  payable: boolean;
  country: string | null;
  askedAt: Date;
}

type NewMethod = Omit<Method, 'createdAt' | 'updatedAt' | 'status'> & { askedAt: Date };

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
  async activate(method: NewMethod): Promise<Method | null> {
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
      method.askedAt,
    ]);
  }

  /** Accounts that this rail is to be asked about again: so many that are payable, and as many that are not. */
  due(rail: string, limit: number, evenRecent: boolean): Promise<Method[]> {
    return this.db.rows<Method>(DUE, [rail, TEST_RAIL, limit, evenRecent]);
  }

  async checked(methodId: string): Promise<void> {
    await this.db.execute(`UPDATE methods SET checked_at = now(), ask_at = ${NEXT_QUESTION} WHERE id = $1`, [methodId]);
  }

  /**
   * What the rail said of this account; answers whether it was payable before. null when it is no longer the one its payee is
   * paid over, or when the rail was asked later by somebody who was quicker.
   */
  async setPayable(
    methodId: string,
    { payable, country, askedAt }: AccountState,
  ): Promise<{ wasPayable: boolean } | null> {
    return this.db.row<{ wasPayable: boolean }>(
      `UPDATE methods SET payable = $2, account_country = coalesce($3, methods.account_country), asked_at = $4,
         standing_since = CASE WHEN before.payable = $2 THEN standing_since ELSE now() END,
         ask_at = CASE WHEN before.payable = $2 THEN ask_at ELSE ${firstQuestion('$2')} END,
         updated_at = now()
       FROM (SELECT id, payable FROM methods WHERE id = $1 FOR UPDATE) AS before
       WHERE methods.id = before.id AND status = 'active' AND (asked_at IS NULL OR asked_at <= $4)
       RETURNING before.payable AS was_payable`,
      [methodId, payable, country, askedAt],
    );
  }
}

const ACTIVATE = `
  INSERT INTO methods AS method (id, client_id, payee_id, provider, provider_account_id, test_mode, payable, account_country,
    asked_at, ask_at, status)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${firstQuestion('$7')}, 'active')
  ON CONFLICT (provider, provider_account_id, test_mode) DO UPDATE SET
    payable = CASE WHEN method.asked_at > excluded.asked_at THEN method.payable ELSE excluded.payable END,
    account_country = CASE WHEN method.asked_at > excluded.asked_at THEN method.account_country
      ELSE excluded.account_country END,
    ask_at = CASE WHEN method.asked_at > excluded.asked_at THEN least(method.ask_at, excluded.ask_at)
      ELSE excluded.ask_at END,
    asked_at = greatest(method.asked_at, excluded.asked_at), standing_since = now(), status = 'active', updated_at = now()
    WHERE method.payee_id = excluded.payee_id
  RETURNING *`;
