/** Payouts held for a cause that passes by itself, and whose turn it is. */
import { Inject, Injectable } from '@nestjs/common';
import { usedOfDay } from '#libs/balances';
import { CONFIG, type Config } from '#libs/config';
import { Db, type Turn } from '#libs/db';
import { AUTO_RELEASED, type KnownReason } from '#libs/domain';
import { CoolDown } from '#libs/payees';
import { HELD_IN_DISPUTE, type Payout } from '#libs/payout-rules';
import { after, HELD_FOR, locking, mayLeave, NOT_ASKED_FOR, NOT_FOR_TEST, OF_ACTIVE, WITH_PAYEES } from './held-for';
import { MAYBE_CLEARED } from './maybe-cleared';

/** One payee's payouts in one currency that were held on days that are over. */
export interface OfEarlierDay {
  clientId: string;
  payeeId: string;
  currency: string;
  /** How many payouts. */
  size: number;
}

export interface Waiting {
  id: string;
  clientId: string;
  payeeId: string;
  amountCents: number;
}

export interface PayoutsOfPayee {
  clientId: string;
  payeeId: string;
  ids: string[];
  size: number;
}

export interface Fitting {
  cents: number;
  /** Payouts. */
  without: string[];
}

/** The most that one statement answers; whoever works through them asks again. */
const PAGE = 200;
/** Of what one client has held for a day or a difference: then another look is needed to come to the rest. */
const TURN = 2_500;

@Injectable()
export class HeldReads {
  constructor(
    private readonly db: Db,
    @Inject(CONFIG) private readonly config: Config,
    private readonly coolDown: CoolDown,
  ) {}

  lock(reason: KnownReason, payoutIds: string[]): Promise<Payout[]> {
    return this.db.rows<Payout>(LOCK, [reason, payoutIds]);
  }

  /** What each client, or one, has held for a day's cap, as much as is looked at in a turn; `last` is where its last one ended. */
  turnsOverTheDay(last: ReadonlyMap<string, string>, clientId: string | null): Promise<Turn[]> {
    return this.db.rows<Turn>(turnsOf(OVER_THE_DAY), [[...last.keys()], [...last.values()], clientId]);
  }

  /** Where the day has room for something that was held for the cap of a day that is over. */
  ofEarlierDays({ clientId, after, until }: Turn): Promise<OfEarlierDay[]> {
    return this.db.rows(EARLIER_DAYS, [
      ...[this.config.dailyCapCents, clientId, after, until],
      this.coolDown.railsByAddress(),
    ]);
  }

  /** Each of them fits into what is left of the day by now; together they may not. The caller holds the payee. */
  lockFittingToday({ payeeId, currency }: OfEarlierDay, after: string | null, most: number): Promise<Payout[]> {
    return this.db.rows<Payout>(LOCK_FITTING, [
      ...[this.config.dailyCapCents, payeeId, currency, after, most],
      this.coolDown.railsByAddress(),
    ]);
  }

  /** The same for a difference. */
  turnsInDispute(last: ReadonlyMap<string, string>): Promise<Turn[]> {
    return this.db.rows<Turn>(turnsOf(IN_DISPUTE), [[...last.keys()], [...last.values()], null]);
  }

  /** By payee: what is held for a difference, and is in none any more. */
  undisputed({ clientId, after, until }: Turn): Promise<PayoutsOfPayee[]> {
    return this.db.rows(UNDISPUTED, [clientId, after, until]);
  }

  /** By payee, so many of each: what its client lets go on, unless rows show its cause; `last` had each client's last turn. Some may have none. */
  maybeCleared(last: ReadonlyMap<string, string>, payees: number, ofEach: number): Promise<PayoutsOfPayee[]> {
    return this.db.rows(MAYBE_CLEARED, [
      ...[[...last.keys()], payees, this.config.singleCapCents, ofEach],
      ...[this.coolDown.railsByAddress(), [...last.values()]],
    ]);
  }

  lockAutoReleased(payoutIds: string[]): Promise<Payout[]> {
    return this.db.rows<Payout>(LOCK_AUTO_RELEASED, [AUTO_RELEASED, payoutIds]);
  }

  clientsShortOfFunds(): Promise<{ clientId: string }[]> {
    return this.db.rows(
      `SELECT DISTINCT client_id FROM payouts
       WHERE ${HELD_FOR_FUNDS} AND short_of = 'wallet' AND ${OF_ACTIVE} AND ${NOT_FOR_TEST}`,
    );
  }

  railsShortOfFunds(): Promise<{ provider: string }[]> {
    return this.db.rows(
      `SELECT DISTINCT provider FROM payouts WHERE ${HELD_FOR_FUNDS} AND short_of = 'rail' AND ${OF_ACTIVE}`,
    );
  }

  /** The oldest that fit, leaving some out; in every currency, unless one is named. */
  waitingForWallet(clientId: string, currency: string | null, fitting: Fitting): Promise<Waiting[]> {
    return this.db.rows<Waiting>(FOR_WALLET, [
      ...[clientId, currency, fitting.cents, fitting.without],
      this.coolDown.railsByAddress(),
    ]);
  }

  waitingForRail(provider: string, currency: string, fitting: Fitting): Promise<Waiting[]> {
    return this.db.rows<Waiting>(FOR_RAIL, [provider, currency, fitting.cents, fitting.without]);
  }
}

const LOCK_AUTO_RELEASED = locking('ANY($1::text[])', '$2::uuid[]');

const HELD_FOR_FUNDS = `${HELD_FOR} = 'insufficient_funds'`;
const DATE = `(now() AT TIME ZONE 'utc')::date`;
const TODAY = `date_trunc('day', now() AT TIME ZONE 'utc') AT TIME ZONE 'utc'`;
const OVER_THE_DAY = `${HELD_FOR} = 'cap_exceeded_daily'`;
const OF_EARLIER_DAY = `${OVER_THE_DAY} AND payouts.updated_at < ${TODAY}`;

const LOCK = locking('$1', '$2::uuid[]');

/** As the gates count it; $1 is the cap of clients that have none of their own. */
const leftToday = (payeeId: string, currency: string): string => `
  coalesce((clients.caps ->> 'dailyCents')::bigint, $1::bigint) - coalesce((SELECT cents FROM (
    ${usedOfDay({ isPayee: `payee_id = ${payeeId} AND currency = ${currency}`, day: DATE })}) AS used), 0)`;

const turnsOf = (held: string): string => `
  SELECT turn.*, until FROM (
    SELECT id AS client_id, coalesce(last, lpad('', 32, '0')::uuid) AS after FROM clients
    LEFT JOIN unnest($1::uuid[], $2::uuid[]) AS before (client_id, last) ON before.client_id = id
    WHERE status = 'active' AND ($3::uuid IS NULL OR id = $3)
  ) AS turn CROSS JOIN LATERAL (SELECT true FROM payouts WHERE ${held} AND client_id = turn.client_id LIMIT 1) AS has_some
  LEFT JOIN LATERAL (
    SELECT id AS until FROM payouts WHERE ${held} AND client_id = turn.client_id AND id > after ORDER BY id OFFSET ${TURN - 1} LIMIT 1
  ) AS last_one ON true ORDER BY random()`;
const inTurn = (clientId: string, after: string, until: string): string =>
  `payouts.client_id = ${clientId} AND payouts.id > ${after} AND payouts.id <= coalesce(${until}, lpad('', 32, 'f')::uuid)`;

/** If not even the least fits, nobody has to be held for a look. In no order of age: what stays as it is must not keep back others. */
const EARLIER_DAYS = `
  SELECT waiting.client_id, waiting.payee_id, waiting.currency, waiting.size FROM (
    SELECT payouts.client_id, payee_id, currency, min(amount_cents) AS least, count(*)::int AS size FROM ${WITH_PAYEES}
    WHERE ${OF_EARLIER_DAY} AND ${inTurn('$2', '$3', '$4')} AND ${mayLeave('$5')} GROUP BY payouts.client_id, payee_id, currency
  ) AS waiting JOIN clients ON clients.id = waiting.client_id
  WHERE waiting.least <= ${leftToday('waiting.payee_id', 'waiting.currency')} ORDER BY random()`;

const LOCK_FITTING = locking(
  `'cap_exceeded_daily'`,
  `ARRAY(
    SELECT payouts.id FROM ${WITH_PAYEES}
    WHERE ${OF_EARLIER_DAY} AND payee_id = $2 AND currency = $3 AND ${after('$4')} AND ${mayLeave('$6')} AND amount_cents <= (
      SELECT ${leftToday('$2', '$3')} FROM payees JOIN clients ON clients.id = payees.client_id WHERE payees.id = $2)
    ORDER BY payouts.created_at, payouts.id LIMIT $5)`,
);

/** To the letter, as the index is. */
const IN_DISPUTE = `payouts.status = 'held' AND superseded_by IS NULL AND status_reason = '${HELD_IN_DISPUTE}'`;

/** Whatever an operator decided about money of its own code, its rail would repeat what it said of it. */
const UNDISPUTED = `
  SELECT client_id, payee_id, array_agg(id ORDER BY created_at, id) AS ids, count(*)::int AS size FROM payouts
  WHERE ${IN_DISPUTE} AND ${inTurn('$1', '$2', '$3')}
    AND NOT EXISTS (SELECT FROM drift WHERE resolved_by IS NOT NULL AND drift.payout_id = payouts.id)
    AND (SELECT true FROM payouts_in_dispute WHERE payout_id = payouts.id LIMIT 1) IS NULL
  GROUP BY client_id, payee_id ORDER BY min(created_at)`;

const FOR_WALLET = `
  SELECT payouts.id, payouts.client_id, payee_id, amount_cents FROM ${WITH_PAYEES}
  WHERE ${HELD_FOR_FUNDS} AND short_of = 'wallet' AND ${OF_ACTIVE} AND payouts.client_id = $1 AND amount_cents <= $3
    AND currency = coalesce($2, currency) AND payouts.id <> ALL($4::uuid[]) AND ${mayLeave('$5')} AND ${NOT_ASKED_FOR}
  ORDER BY payouts.created_at, payouts.id LIMIT ${PAGE}`;

/**
 * Each client's oldest after the oldest of others, and after as long as it was tried already: a rail may refuse for ever what it seems to have
 * funds for.
 */
const FOR_RAIL = `
  SELECT waiting.* FROM clients CROSS JOIN LATERAL (
    SELECT id, client_id, payee_id, amount_cents, created_at, row_number() OVER (ORDER BY created_at, id) AS nth FROM payouts
    WHERE ${HELD_FOR_FUNDS} AND short_of = 'rail' AND client_id = clients.id AND provider = $1 AND currency = $2 AND amount_cents <= $3
      AND id <> ALL($4::uuid[]) AND ${NOT_ASKED_FOR}
      AND now() - updated_at >= least(updated_at - coalesce(submitted_at, updated_at), interval '6 hours')
    ORDER BY created_at, id LIMIT ${PAGE}
  ) AS waiting WHERE clients.status = 'active' ORDER BY nth, waiting.created_at, waiting.id LIMIT ${PAGE}`;
