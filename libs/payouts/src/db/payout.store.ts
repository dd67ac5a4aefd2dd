/**
 * The only writer of a payout's status. A change, its trail lines, its events and what follows from it are written in
 * the caller's transaction, many payouts at once where many came together.
 */
import { Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import { ClientRegistry } from '#libs/clients';
import { Db } from '#libs/db';
import { EventOutbox, type NewEvent } from '#libs/events';
import { type Payout, type PayoutChange, payoutEventPayloads } from '#libs/payout-rules';
import { metrics } from '#libs/telemetry';
import { PayoutBooks } from './payout-books';
import { asRecord, COLUMNS, MUTABLE, type PayoutRecord } from './payout-columns';

/** When its rail was asked. */
export interface SaidNo {
  id: string;
  at: Date;
}

type Times = Pick<Payout, 'createdAt' | 'updatedAt'>;

@Injectable()
export class PayoutStore {
  constructor(
    private readonly db: Db,
    private readonly events: EventOutbox,
    private readonly clients: ClientRegistry,
    private readonly books: PayoutBooks,
  ) {}

  /** Inserts new payouts. A key that somebody else took a moment ago fails the transaction: see isDuplicateKey. */
  async insert(changes: PayoutChange[]): Promise<Payout[]> {
    const startedUs = await this.db.startedUs;
    const placed = changes.map(({ after }, place) => ({ record: asRecord(after), place })).sort(byKey);
    await this.db.write(INSERT, [JSON.stringify(placed.map(({ record }) => record)), placed.map(({ place }) => place)]);
    return this.recorded(changes, (_, place) => ({
      createdAt: dateOf(startedUs + place),
      updatedAt: dateOf(startedUs),
    }));
  }

  /** Writes changes of payouts that the caller has locked, each payout once. */
  async update(changes: PayoutChange[]): Promise<Payout[]> {
    const updatedAt = dateOf(await this.db.startedUs);
    const records = changes.map(({ before, after }) => ({
      ...asRecord(after),
      from_sequence: before?.sequence,
      from_status: before?.status,
    }));
    await this.db.write(UPDATE, [JSON.stringify(records), changes.map(({ after }) => after.id)]);
    return this.recorded(changes, ({ after: { createdAt } }) => ({ createdAt, updatedAt }));
  }

  /** Those of the changes that can be written without waiting for a wallet. */
  lockFreeWallets(changes: PayoutChange[]): Promise<PayoutChange[]> {
    return this.books.lockFreeWallets(changes);
  }

  /** Rows of theirs are on another payout by now. The caller holds their locks, but for what was taken back before it was sent. */
  async supersede(payoutIds: string[], by: string): Promise<void> {
    await this.db.execute('UPDATE payouts SET superseded_by = $2 WHERE id = ANY($1)', [payoutIds, by]);
  }

  private async recorded(
    changes: PayoutChange[],
    timesOf: (change: PayoutChange, place: number) => Times,
  ): Promise<Payout[]> {
    const payouts = changes.map((change, place) => ({ ...change.after, ...timesOf(change, place) }));
    await this.books.record(changes);
    await this.writeTrail(changes);
    if (payouts[0]) await this.appendEvents(changes, payouts[0].updatedAt);
    for (const entry of changes.flatMap(({ trail }) => trail)) metrics.payoutSteps.inc({ to: entry.after.status });
    return payouts;
  }

  /** Their rails said no after they had failed. Of two the later one counts. */
  async clear(nos: SaidNo[]): Promise<void> {
    if (nos.length > 0) await this.db.execute(CLEAR, [nos.map(({ id }) => id), nos.map(({ at }) => at)]);
  }

  private async writeTrail(changes: PayoutChange[]): Promise<void> {
    const lines = changes.flatMap(({ trail }) =>
      trail.map(({ type, fromStatus, actor, after }) => ({
        id: newId(),
        payout_id: after.id,
        sequence: after.sequence,
        type,
        from_status: fromStatus,
        to_status: after.status,
        status_reason: after.statusReason,
        failure_kind: after.failureKind,
        actor,
        custody: after.custody,
        claimed: after.claimedAt !== null,
      })),
    );
    if (lines.length > 0) await this.db.write(INSERT_TRAIL, [JSON.stringify(lines)]);
  }

  private async appendEvents(changes: PayoutChange[], at: Date): Promise<void> {
    const events: NewEvent[] = [];
    // One after the other: mostly all are of one client, and the first look makes it known for the others.
    for (const change of changes) {
      const known = await this.clients.byId(change.after.clientId);
      if (!known) throw new Error(`Client ${change.after.clientId} of a payout is gone.`);
      const { id: clientId, webhookUrl, eventTypes } = known.client;
      const subscribed = webhookUrl !== null && eventTypes.includes('payout.status');
      for (const entry of change.trail) {
        const { id: entityId, sequence } = entry.after;
        const said = payoutEventPayloads(entry, at);
        events.push({ clientId, type: 'payout.status', entityId, sequence, subscribed, ...said });
      }
    }
    await this.events.append(events);
  }
}

/** Equal keys are claimed in the same order by everybody, so that two batches never wait for each other in a circle. */
function byKey({ record: a }: { record: PayoutRecord }, { record: b }: { record: PayoutRecord }): number {
  const [left, right] = [`${a.client_id} ${a.idempotency_key}`, `${b.client_id} ${b.idempotency_key}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Postgres counts microseconds, JavaScript milliseconds: this is what is read of such a time later. */
const dateOf = (us: number): Date => new Date(Math.floor(us / 1000));

/** Somebody else has just made a payout with one of these keys: whoever looks again finds it. */
export function isDuplicateKey(error: unknown): boolean {
  const { code, table } = (error ?? {}) as { code?: unknown; table?: unknown };
  return code === '23505' && table === 'payouts';
}

/** The first submission is dated by the database, like everything that is compared later. */
const valueOf = (column: string): string =>
  column === 'submitted_at'
    ? `CASE row.status WHEN 'submitted' THEN coalesce(row.submitted_at, now()) ELSE row.submitted_at END`
    : `row.${column}`;

/** The place in the call becomes a microsecond, so that payouts made together keep their order. */
const INSERT = `
  INSERT INTO payouts (${COLUMNS.join(', ')}, created_at, updated_at)
  SELECT ${COLUMNS.map(valueOf).join(', ')},
    now() + ($2::int[])[row.ordinality] * interval '1 microsecond', now()
  FROM jsonb_populate_recordset(NULL::payouts, $1::jsonb) WITH ORDINALITY AS row`;

/**
 * Found by id alone: the form of the comparison keeps the planner from joining on columns that most rows share. The input is read once,
 * and not again for each payout: many at once would cost the square of their number.
 */
const UPDATE = `
  WITH given AS MATERIALIZED (
    SELECT (item ->> 'from_sequence')::int AS from_sequence, item ->> 'from_status' AS from_status, row.*
    FROM jsonb_array_elements($1::jsonb) AS item, jsonb_populate_record(NULL::payouts, item) AS row
  ), written AS (
    UPDATE payouts SET (${MUTABLE.join(', ')}, updated_at) = (${MUTABLE.map(valueOf).join(', ')}, now())
    FROM given AS row
    WHERE payouts.id = ANY($2::uuid[]) AND payouts.id = row.id
      AND payouts.sequence + 0 = row.from_sequence AND payouts.status || '' = row.from_status
    RETURNING payouts.id
  )
  SELECT all_written(count(*), cardinality($2::uuid[]), 'A payout changed although it was locked.') FROM written`;

/**
 * A process may count a little less than the database, or more: whoever was asked about what failed was asked after it had. What was asked by a clock
 * that was set back since says of no time that it moved nothing: it is asked again.
 */
const CLEAR = `
  UPDATE payouts SET cleared_at = greatest(cleared_at, updated_at, least(said.at, now()))
  FROM (SELECT id, max(at) AS at FROM unnest($1::uuid[], $2::timestamptz[]) AS given (id, at) GROUP BY id) AS said
  WHERE payouts.id = said.id AND status = 'failed' AND said.at <= clock_timestamp() + interval '1 second'`;

const INSERT_TRAIL = `
  INSERT INTO payout_trail (id, payout_id, sequence, type, from_status, to_status, status_reason, failure_kind, actor,
    custody, claimed, created_at)
  SELECT id, payout_id, sequence, type, from_status, to_status, status_reason, failure_kind, actor, custody, claimed, now()
  FROM jsonb_populate_recordset(NULL::payout_trail, $1::jsonb)`;
