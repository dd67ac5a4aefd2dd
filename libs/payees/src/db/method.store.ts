/** The rail accounts payees are paid over. One account belongs to one payee, over the whole service, for ever. */
import { Injectable } from '@nestjs/common';
import { Db, STILL_TO_COME } from '#libs/db';
import { type AccountDetails, TEST_RAIL } from '#libs/rail-kit';
import type { Method } from '../payee';
import { DUE, firstQuestion, NEXT_QUESTION } from './standing-turns';

/** A rail's answer about an account, and when it was asked. */
export interface AccountState {
  payable: boolean;
  country: string | null;
  /** Not told: what was told before stands. */
  details?: AccountDetails;
  askedAt: Date;
}

/** An account that a payout pays to. */
export interface PaidAccount {
  id: string;
  payeeId: string;
  provider: string | null;
  accountId: string | null;
  testMode: boolean;
}

type NewMethod = Omit<Method, 'createdAt' | 'updatedAt' | 'status' | 'detailsAt'> & { askedAt: Date };

/** `askedAt`: when what is known of its account was asked for. */
export type ActiveMethod = Method & { askedAt: Date };

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
  async activate(method: NewMethod): Promise<ActiveMethod | null> {
    const { payeeId, provider, providerAccountId } = method;
    await this.db.execute(
      `UPDATE methods SET status = 'replaced', updated_at = now()
       WHERE payee_id = $1 AND status = 'active' AND NOT (provider = $2 AND provider_account_id = $3)`,
      [payeeId, provider, providerAccountId],
    );
    return this.db.row<ActiveMethod>(ACTIVATE, [
      method.id,
      method.clientId,
      payeeId,
      provider,
      providerAccountId,
      method.testMode,
      method.payable,
      method.accountCountry,
      method.askedAt,
      method.details,
    ]);
  }

  /** By the ids of payouts: whether what each pays to is payable, whatever its payee is paid over by now. */
  async payable(paid: PaidAccount[]): Promise<Map<string, boolean>> {
    if (paid.length === 0) return new Map();
    const rows = await this.db.rows<{ id: string; payable: boolean }>(PAYABLE, [
      paid.map(({ id }) => id),
      paid.map(({ payeeId }) => payeeId),
      paid.map(({ provider }) => provider),
      paid.map(({ accountId }) => accountId),
      paid.map(({ testMode }) => testMode),
    ]);
    return new Map(rows.map(({ id, payable }) => [id, payable]));
  }

  /** Accounts that this rail is to be asked about again: so many of those that are payable, or of the others. */
  due(rail: string, payable: boolean, limit: number, evenRecent: boolean): Promise<Method[]> {
    return this.db.rows<Method>(DUE, [rail, TEST_RAIL, limit, evenRecent, payable]);
  }

  /** `checkedAgo`: how many seconds. */
  find(id: string): Promise<(Method & { checkedAgo: number }) | null> {
    return this.db.row(
      'SELECT *, extract(epoch FROM now() - checked_at)::float8 AS checked_ago FROM methods WHERE id = $1',
      [id],
    );
  }

  /** Of these accounts of a rail those that somebody is paid over now. */
  active(provider: string, accountIds: string[]): Promise<{ id: string; clientId: string }[]> {
    return this.db.rows(
      `SELECT id, client_id FROM methods
       WHERE provider = $1 AND provider_account_id = ANY($2) AND NOT test_mode AND status = 'active' ORDER BY id`,
      [provider, accountIds],
    );
  }

  async askSoon(payeeId: string, provider: string, accountId: string): Promise<void> {
    await this.db.execute(
      `UPDATE methods SET ask_at = now() WHERE payee_id = $1 AND provider = $2 AND provider_account_id = $3 AND ask_at > now()`,
      [payeeId, provider, accountId],
    );
  }

  /** For an answer that was not written, because one to a later question was: if they differ, nobody knows which is younger. */
  async askIfOtherwise(methodId: string, payable: boolean): Promise<void> {
    await this.db.execute(
      `UPDATE methods SET ask_at = now() WHERE id = $1 AND status = 'active' AND payable <> $2 AND ask_at > now()`,
      [methodId, payable],
    );
  }

  /** Its rail is asked now. If no answer is written, it is asked again after so long, or at most twice that, or in its turn if that is sooner. */
  async checked(methodId: string, againInSeconds: number): Promise<void> {
    await this.db.execute(
      `UPDATE methods SET checked_at = now(),
         ask_at = least(${NEXT_QUESTION}, now() + $2::float8 * (1 + random()) * interval '1 second') WHERE id = $1`,
      [methodId, againInSeconds],
    );
  }

  /**
   * Writes the rail's answer about this account, and its next turn. A question that somebody wants soon stays, also if they asked for it
   * while this waited for the lock; if the answer changes the standing, only one that they asked for since this one was put. Returns whether
   * it was payable before, and whether it has other details since, or null when it is no longer the one its payee is paid over, or when a
   * later question was answered first.
   */
  async setPayable(
    methodId: string,
    { payable, country, askedAt, details }: AccountState,
  ): Promise<{ wasPayable: boolean; hasOtherDetails: boolean } | null> {
    return this.db.row<{ wasPayable: boolean; hasOtherDetails: boolean }>(
      `UPDATE methods SET payable = $2, account_country = coalesce($3, methods.account_country), asked_at = $4,
         ${toldDetails('$5', '$4')},
         standing_since = CASE WHEN before.payable = $2 THEN standing_since ELSE now() END,
         ask_at = CASE WHEN ask_at <= clock_timestamp() AND (before.payable = $2 OR ask_at >= $4) THEN ask_at
           WHEN before.payable <> $2 AND methods.asked_at > $4::timestamptz - ${MAY_LAST} THEN now() + ${MAY_LAST}
           WHEN before.payable <> $2 THEN ${firstQuestion('$2')} ELSE ${NEXT_QUESTION} END,
         updated_at = now()
       FROM (SELECT id, payable, details FROM methods WHERE id = $1 FOR UPDATE) AS before
       WHERE methods.id = before.id AND status = 'active' AND ${isLater('$4', '$2')}
       RETURNING before.payable AS was_payable, before.details IS DISTINCT FROM methods.details AS has_other_details`,
      [methodId, payable, country, askedAt, details ?? null],
    );
  }

  /** The same of one that was replaced: of its payee it says nothing any more. */
  async setReplaced(methodId: string, { payable, country, askedAt, details }: AccountState): Promise<void> {
    await this.db.execute(
      `UPDATE methods SET payable = $2, account_country = coalesce($3, account_country), asked_at = $4,
         ${toldDetails('$5', '$4')}, updated_at = now()
       WHERE id = $1 AND status = 'replaced' AND ${isLater('$4', '$2')}`,
      [methodId, payable, country, askedAt, details ?? null],
    );
  }
}

/** So long, from its date, a question may be under way: of two that were together, the other one may have been answered later. */
const MAY_LAST = `interval '20 seconds'`;

/** Asked by a clock that was set back since, before all that is asked by the clock as it is. */
const isOfBefore = (at: string, other: string): string => `(${at} > ${STILL_TO_COME} AND ${other} <= ${STILL_TO_COME})`;

/** Of two answers of one moment nobody knows which is younger: that it cannot be paid counts. */
const isLater = (at: string, payable: string): string =>
  `(asked_at IS NULL OR asked_at < ${at} OR (asked_at = ${at} AND (NOT ${payable}::boolean OR methods.payable)) OR ${isOfBefore('asked_at', at)})`;

/** Set to what was told when, if it was. */
function toldDetails(told: string, at: string): string {
  return `details = coalesce(${told}::jsonb, methods.details),
         details_at = CASE WHEN ${told}::jsonb IS NULL THEN methods.details_at ELSE ${at} END`;
}

const PAYABLE = `
  SELECT wanted.id, methods.payable
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::boolean[])
    AS wanted (id, payee_id, provider, account_id, test_mode)
  JOIN methods ON methods.provider = wanted.provider AND methods.provider_account_id = wanted.account_id
    AND methods.test_mode = wanted.test_mode AND methods.payee_id = wanted.payee_id`;

/** The answer to the later question stays, whichever was written first; of two of one moment, that it cannot be paid. */
const LATER = `((method.asked_at > excluded.asked_at AND NOT ${isOfBefore('method.asked_at', 'excluded.asked_at')})
  OR (method.asked_at = excluded.asked_at AND NOT method.payable))`;
const latest = (column: string): string =>
  `${column} = CASE WHEN ${LATER} THEN method.${column} ELSE excluded.${column} END`;

const ACTIVATE = `
  INSERT INTO methods AS method (id, client_id, payee_id, provider, provider_account_id, test_mode, payable, account_country,
    asked_at, details, details_at, ask_at, status)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, CASE WHEN $10::jsonb IS NULL THEN NULL ELSE $9::timestamptz END,
    ${firstQuestion('$7')}, 'active')
  ON CONFLICT (provider, provider_account_id, test_mode) DO UPDATE SET
    ${latest('payable')}, ${latest('account_country')},
    details = CASE WHEN ${LATER} OR excluded.details IS NULL THEN method.details ELSE excluded.details END,
    details_at = CASE WHEN ${LATER} OR excluded.details IS NULL THEN method.details_at ELSE excluded.details_at END,
    ask_at = CASE WHEN ${LATER} THEN least(method.ask_at, excluded.ask_at)
      WHEN method.payable <> excluded.payable AND method.asked_at > excluded.asked_at - ${MAY_LAST} THEN now() + ${MAY_LAST}
      ELSE excluded.ask_at END,
    ${latest('asked_at')}, standing_since = now(), status = 'active', updated_at = now()
    WHERE method.payee_id = excluded.payee_id
  RETURNING *`;
