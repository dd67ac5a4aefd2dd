/** How payees are read: one, or a list. */
import { Injectable } from '@nestjs/common';
import { boundedPage, Db, isAfterPlace } from '#libs/db';
import type { KycStatus, ListPlace, PageRow, PayoutStatus } from '#libs/domain';
import { AWAITED, type ListsRead } from '#libs/rail-registry';
import type { Payee } from '../payee';

export interface PayeeFilter {
  clientId: string;
  kyc?: KycStatus;
  payable?: boolean;
  email?: string;
  externalId?: string;
}

/** Where a payout's money goes, fixed when it was authorized. */
interface PaysTo {
  id: string;
  payeeId: string;
  provider: string | null;
  accountId: string | null;
  testMode: boolean;
  destination: { country: string | null } | null;
}

/** Everything that may have changed since a payout was authorized. */
export interface LastLook extends ListsRead {
  /** How the payout itself stands. null: it is gone. */
  payoutStatus: PayoutStatus | null;
  clientStatus: 'active' | 'suspended' | 'closed';
  blocked: boolean;
  /** When the payee became somebody else, last: another address, or another person. null: never. */
  changedAt: Date | null;
  countryBlocked: boolean;
  /** The account that the payout pays to; without one, the payee. */
  payable: boolean;
  /** Its payee is paid over another account by now: nobody else reads this one. */
  accountReplaced: boolean;
  /** A rail and we disagree about money of it, or of what its rows were on before: somebody has to look. */
  disputed: boolean;
  /** Nothing is sent to its rail for now. */
  laneClosed: boolean;
}

@Injectable()
export class PayeeReads {
  constructor(private readonly db: Db) {}

  find(clientId: string, id: string): Promise<Payee | null> {
    return this.db.row<Payee>('SELECT * FROM payees WHERE client_id = $1 AND id = $2', [clientId, id]);
  }

  /** Those of these ids that are payees of the client. */
  async existing(clientId: string, ids: string[]): Promise<Set<string>> {
    const rows = await this.all(clientId, ids);
    return new Set(rows.map(({ id }) => id));
  }

  async all(clientId: string, ids: string[]): Promise<Payee[]> {
    if (ids.length === 0) return [];
    return this.db.rows<Payee>('SELECT * FROM payees WHERE client_id = $1 AND id = ANY($2)', [clientId, ids]);
  }

  /**
   * Those of these payees that stay as they are until the caller's transaction ends. A payee who is being changed now is left out, and
   * not waited for.
   */
  async keptAsTheyAre(clientId: string, ids: string[]): Promise<Set<string>> {
    const rows = await this.db.rows<{ id: string }>(
      'SELECT id FROM payees WHERE client_id = $1 AND id = ANY($2) ORDER BY id FOR SHARE SKIP LOCKED',
      [clientId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * When the oldest transaction that is under way began. No change that is written by now and not to be seen yet is dated before that: ask
   * this first, and read payees then.
   */
  async unseenSince(): Promise<Date> {
    const row = await this.db.row<{ since: Date }>(
      'SELECT coalesce(min(xact_start), now()) AS since FROM pg_stat_activity WHERE datname = current_database()',
    );
    if (!row) throw new Error('The database did not say which transactions are under way.');
    return row.since;
  }

  /** Whichever client's payee it is: for operators. */
  findAny(id: string): Promise<Payee | null> {
    return this.db.row<Payee>('SELECT * FROM payees WHERE id = $1', [id]);
  }

  /** All payees of a client that were made by then, in the order of ids, from after that one. */
  page(clientId: string, madeBy: string, after: string | null, limit: number): Promise<Payee[]> {
    return this.db.rows<Payee>(
      `SELECT * FROM payees WHERE client_id = $1 AND created_at <= $2::timestamptz AND ($3::uuid IS NULL OR id > $3)
       ORDER BY id LIMIT $4`,
      [clientId, madeBy, after, limit],
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

  /** Money was ever on its way to whoever has their address, be it that it waits for them still. */
  async hasMoneyByAddress(id: string): Promise<boolean> {
    const found = await this.db.row("SELECT FROM payouts WHERE payee_id = $1 AND custody <> 'custodial' LIMIT 1", [id]);
    return found !== null;
  }

  /** By the ids of the payouts. */
  async lastLook(payouts: PaysTo[]): Promise<Map<string, LastLook>> {
    if (payouts.length === 0) return new Map();
    const rows = await this.db.rows<LastLook & { id: string }>(LAST_LOOK, [
      payouts.map(({ id }) => id),
      payouts.map(({ payeeId }) => payeeId),
      payouts.map(({ provider }) => provider),
      payouts.map(({ accountId }) => accountId),
      payouts.map(({ testMode }) => testMode),
      payouts.map(({ destination }) => destination?.country ?? null),
    ]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  list(filter: PayeeFilter, after: ListPlace | null, limit: number): Promise<(Payee & PageRow)[]> {
    const { sql, values } = listQuery(filter, after, limit);
    return this.db.rows<Payee & PageRow>(sql, values);
  }
}

const LAST_LOOK = `
  SELECT wanted.id, (SELECT status FROM payouts WHERE payouts.id = wanted.id) AS payout_status,
    clients.status AS client_status, payees.blocked,
    greatest(payees.email_changed_at, payees.identity_changed_at) AS changed_at,
    EXISTS (SELECT FROM routes WHERE routes.blocked AND routes.country IN (payees.country, wanted.country)) AS country_blocked,
    coalesce(methods.payable, payees.payable) AS payable, coalesce(methods.status = 'replaced', false) AS account_replaced,
    coalesce((SELECT true FROM payouts_in_dispute WHERE payout_id = wanted.id LIMIT 1), false) AS disputed,
    EXISTS (SELECT FROM rail_lanes WHERE rail = wanted.provider AND coalesce(opens_at > now(), true)) AS lane_closed,
    extract(epoch FROM now() - rail_scans.scanned_until)::float8 AS compared_ago,
    (SELECT coalesce(json_agg(lists), '[]') FROM (${AWAITED}) AS lists) AS awaited
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::boolean[], $6::text[])
    AS wanted (id, payee_id, provider, account_id, test_mode, country)
  JOIN payees ON payees.id = wanted.payee_id
  JOIN clients ON clients.id = payees.client_id
  LEFT JOIN methods ON methods.provider = wanted.provider AND methods.provider_account_id = wanted.account_id
    AND methods.test_mode = wanted.test_mode AND methods.payee_id = wanted.payee_id
  LEFT JOIN rail_scans ON rail_scans.rail = wanted.provider`;

/** Only the conditions that are asked for stand in the statement, so that each combination has a plan of its own. */
function listQuery(filter: PayeeFilter, after: ListPlace | null, limit: number): { sql: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (item: unknown): string => `$${values.push(item)}`;
  const clientId = `${value(filter.clientId)}::uuid`;
  const conditions = [
    `client_id = ${clientId}`,
    filter.kyc && `kyc_status = ${value(filter.kyc)}`,
    filter.payable !== undefined && `payable = ${value(filter.payable)}`,
    filter.email && `email = ${value(filter.email)}`,
    filter.externalId && `external_id = ${value(filter.externalId)}`,
    after && isAfterPlace({ table: 'payees', clientId }, value(after.createdUs), value(after.id)),
  ].filter(Boolean);
  const page = `
    SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM payees
    WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ${value(limit + 1)}`;
  return { sql: boundedPage(page, '1000 + octet_length(page.metadata::text)'), values };
}
