/**
 * Which account a rail's credentials belong to. A rail is bound to the first account that it spoke to: with other credentials nothing is
 * sent and nothing is asked, because a provider that never heard of our payouts would call them never seen.
 */
import { Injectable } from '@nestjs/common';
import { Db, onBehalfOfAll } from '#libs/db';
import type { Verification } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { IS_AWAITED } from './awaited';
import { RailLanes } from './rail-lanes';
import { SENT_ELSEWHERE, SENT_MEANWHILE_SECONDS } from './sent-elsewhere';

export interface BoundAccount {
  account: string;
  mode: 'live' | 'sandbox';
  boundAt: Date;
}

/** The account that a call may be made with. */
export interface KnownAccount extends BoundAccount {
  /** What the call is about was first sent with another one. */
  sentElsewhere: boolean;
}

type Account = Pick<BoundAccount, 'account' | 'mode'>;

/** For so long this process takes its rail's credentials for what they were. */
const KNOWN_FOR_MS = 600_000;
const TRIED_AGAIN_SECONDS = 60;
/** Less than that: a process may be stopped between any two statements. */
const COMMIT_WITHIN_SECONDS = 2;

@Injectable()
export class RailIdentity {
  /** The account that each was verified as, and until when that counts, by this process's ticks. */
  private readonly known = new Map<string, Account & { until: number }>();

  constructor(
    private readonly db: Db,
    private readonly lanes: RailLanes,
  ) {}

  /**
   * The account that it is bound to, if its credentials were verified to belong to it a while ago. It is read for each call: once an admin
   * has bound another account, a process that was not restarted yet must not speak to the one before. `payoutId`: what the call is about.
   */
  async knownAccount(rail: string, payoutId: string | null = null): Promise<KnownAccount | null> {
    const known = this.known.get(rail);
    if (!known || known.until <= performance.now()) return null;
    const bound = await this.db.row<KnownAccount>(KNOWN, [rail, payoutId]);
    return bound && isSame(bound, known) ? bound : null;
  }

  async isKnown(rail: string): Promise<boolean> {
    return (await this.knownAccount(rail)) !== null;
  }

  /** Whether the rail may be used with what it said of its credentials. */
  async judge(rail: string, said: Verification): Promise<boolean> {
    // Nobody can tell now: what was known counts for as long as it would have.
    if (said.kind === 'unknown') return this.isKnown(rail);
    if (said.kind === 'rejected') {
      this.known.delete(rail);
      await this.lanes.close(rail, 'credentials', said.detail, null);
      return false;
    }
    const bound = await this.bind(rail, said);
    if (!isSame(bound, said)) {
      this.known.delete(rail);
      const detail = `bound to ${bound.account} (${bound.mode}), speaks to ${said.account} (${said.mode})`;
      log.error(
        { event: 'rail.other_account', rail },
        'other credentials than before; an admin has to rebind the rail',
      );
      await this.lanes.close(rail, 'other_account', detail, null);
      return false;
    }
    await this.lanes.verified(rail);
    this.known.set(rail, { ...bound, until: performance.now() + KNOWN_FOR_MS });
    return true;
  }

  /**
   * The provider refused a payout because it does not know us. It is tried again in a while: not before, even if it says that our
   * credentials work, because they may not do for payouts.
   */
  async refused(rail: string, detail: string): Promise<void> {
    this.known.delete(rail);
    await onBehalfOfAll(() => this.lanes.close(rail, 'credentials', detail, TRIED_AGAIN_SECONDS));
  }

  bound(rail: string): Promise<BoundAccount | null> {
    return this.db.row<BoundAccount>('SELECT account, mode, bound_at FROM rail_accounts WHERE rail = $1', [rail]);
  }

  /**
   * An admin says so: from now on this account is the rail's. A new account knows nothing of what was sent until then, nor of what a process
   * that just read the old one is about to send. Comes last in the caller's transaction: until that is committed others go on with the old
   * one, so PostgreSQL undoes it if it is not committed in time.
   */
  async rebind(rail: string, { account, mode }: Account): Promise<void> {
    await this.db.execute('SELECT FROM rail_accounts WHERE rail = $1 FOR UPDATE', [rail]); // two of them come one after the other
    await this.lanes.open(rail, ['other_account', 'credentials']);
    await this.db.execute(LEAVE_LIST, [rail, account, mode]);
    await this.db.execute(GO_ON_WITH_LIST, [rail, account, mode]);
    await this.db.execute(`SET LOCAL idle_in_transaction_session_timeout = '${COMMIT_WITHIN_SECONDS}s'`);
    await this.db.execute(
      `INSERT INTO rail_accounts (rail, account, mode, bound_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (rail) DO UPDATE SET account = excluded.account, mode = excluded.mode, bound_at = excluded.bound_at,
         rebound_at = CASE WHEN (rail_accounts.account, rail_accounts.mode) = (excluded.account, excluded.mode)
           THEN rail_accounts.rebound_at ELSE clock_timestamp() + $4::int * interval '1 second' END`,
      [rail, account, mode, SENT_MEANWHILE_SECONDS],
    );
  }

  /** The first account stays: what was taken on before anybody knew it goes by that. */
  private async bind(rail: string, { account, mode }: Account): Promise<BoundAccount> {
    const known = await this.bound(rail);
    if (known) return known;
    await this.db.execute(BIND_FIRST, [rail, account, mode]);
    return (await this.bound(rail)) as BoundAccount;
  }
}

const isSame = (one: Account, other: Account): boolean => one.account === other.account && one.mode === other.mode;

const BIND_FIRST =
  'INSERT INTO rail_accounts (rail, account, mode, bound_at) VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING';

/**
 * A comparison that is under way is with the list of the account of before: it counts no more. That one is waited for as long as it was, and goes on from
 * where it was compared with, or from when it was bound.
 */
const LEAVE_LIST = `
  WITH left_now AS (
    SELECT rail, mode || ' ' || account AS account, bound_at FROM rail_accounts WHERE rail = $1 AND (account, mode) <> ($2, $3)
  ), list AS (
    UPDATE rail_scans SET resets = resets + 1 FROM left_now WHERE rail_scans.rail = left_now.rail
    RETURNING rail_scans.rail, scanned_until, CASE WHEN ${IS_AWAITED} THEN restored_at END AS restored_at
  )
  INSERT INTO scans_of_accounts (rail, account, scanned_until, restored_at)
  SELECT rail, account, coalesce(scanned_until, bound_at), restored_at FROM left_now LEFT JOIN list USING (rail)
  ON CONFLICT (rail, account) DO UPDATE SET scanned_until = excluded.scanned_until, restored_at = excluded.restored_at`;

/** One that is bound again may have moved something since its list was compared with, while another one was bound. */
const GO_ON_WITH_LIST = `
  WITH known AS (
    DELETE FROM scans_of_accounts WHERE rail = $1 AND account = $3::text || ' ' || $2::text RETURNING scanned_until, restored_at
  )
  UPDATE rail_scans SET scanned_until = least(rail_scans.scanned_until, known.scanned_until),
    restored_at = greatest(rail_scans.restored_at, known.restored_at) FROM known
  WHERE rail_scans.rail = $1`;

const KNOWN = `
  SELECT account, mode, bound_at, coalesce((
    SELECT ${SENT_ELSEWHERE} FROM payouts WHERE id = $2 AND provider = $1), false) AS sent_elsewhere
  FROM rail_accounts WHERE rail = $1`;
