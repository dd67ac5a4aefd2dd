/**
 * Pays many payees in one call. A row is one payout by its own key, or by the batch's key and whom it pays: sent again in
 * any order, with rows added or taken away, every row is paid once. Each row goes the way of a single payout.
 */
import { Injectable } from '@nestjs/common';
import { Refusal, type RowError } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DatabaseTrouble } from '#libs/db';
import { PayeeReads, ResolveByEmail } from '#libs/payees';
import { ambiguousTargets, type BatchedRow, isKnownTarget, keyOfRow } from '#libs/payout-rules';
import { log } from '#libs/telemetry';
import { BatchAddressesStore } from '../db/batch-addresses.store';
import { CreatePayouts, type CreatedPayout } from './create-payouts';

export interface BatchRow {
  payeeId?: string | null;
  email?: string | null;
  amountCents: number;
  currency: string;
  ref?: string | null;
  reason?: string | null;
  idempotencyKey?: string | null;
  metadata?: Record<string, string> | null;
}

export type RefusedRow = { error: RowError; message: string };
type Row = BatchRow | RefusedRow;
export type RowOutcome = CreatedPayout | RefusedRow;

/** Rows under way at a time: enough to fill a statement, few enough that single payouts find a place between them. */
const AT_ONCE = 64;
const ROW_CODES: readonly string[] = ['payee_not_found', 'idempotency_conflict'] satisfies RowError[];

@Injectable()
export class CreateBatch {
  constructor(
    private readonly payees: PayeeReads,
    private readonly byEmail: ResolveByEmail,
    private readonly addresses: BatchAddressesStore,
    private readonly creation: CreatePayouts,
  ) {}

  /** One outcome for each row, in order. Nothing is done when two rows would pay the same payee by one key. */
  async run(client: Client, batchKey: string, rows: Row[]): Promise<RowOutcome[]> {
    const emails = [...new Set(rows.filter(isRow).flatMap(({ email }) => email ?? []))];
    const batch = { clientId: client.id, batchKey };
    // Sent again it means the same payees, whoever has these addresses by now.
    const before = await this.addresses.find(batch, emails);
    const others = emails.filter((email) => !before.has(email));
    const known = new Map([...(await this.byEmail.known(client, others)), ...before]);
    await this.refuseDuplicates(client, rows, known);
    const missing = others.filter((email) => !known.has(email));
    const found = new Map([...known, ...(await this.byEmail.create(client, missing))]);
    // A payee of another row may have been given one of these addresses meanwhile; what is refused keeps none of them.
    await this.refuseDuplicates(client, rows, found);
    const payees = others.length > 0 ? await this.addresses.keep(batch, found) : found;
    // The same batch, sent a second time at once, may have found others for them first.
    await this.refuseDuplicates(client, rows, payees);
    const whom = await this.names(client, rows.filter(isRow));
    const outcomes: RowOutcome[] = [];
    const pay = (row: Row): RowOutcome | Promise<RowOutcome> => {
      if (!isRow(row)) return row;
      const payeeId = row.payeeId ?? (payees.get(row.email ?? '') as string);
      return this.pay(client, row, { payeeId, batched: { batchKey, whom: whom(row) } });
    };
    for (let from = 0; from < rows.length; from += AT_ONCE)
      outcomes.push(...(await Promise.all(rows.slice(from, from + AT_ONCE).map(pay))));
    return outcomes;
  }

  /** Rows that name nobody pay nobody: they are refused one by one. */
  private async refuseDuplicates(client: Client, rows: Row[], known: Map<string, string>): Promise<void> {
    const ambiguous = ambiguousTargets(rows, known);
    const named = await this.payees.existing(client.id, [...ambiguous.keys()].filter(isKnownTarget));
    const indices = [...ambiguous]
      .filter(([target]) => !isKnownTarget(target) || named.has(target))
      .flatMap(([, at]) => at);
    if (indices.length > 0)
      throw new Refusal('duplicate_target', 'Rows pay the same payee; give each of them its own idempotencyKey.', {
        indices: indices.sort((a, b) => a - b),
      });
  }

  /** How the caller names whom a row pays: by the address, or the payee's externalId. */
  private async names(client: Client, rows: BatchRow[]): Promise<(row: BatchRow) => string> {
    const payeeIds = rows.flatMap(({ payeeId }) => payeeId ?? []);
    const payees = await this.payees.all(client.id, payeeIds);
    const externalIds = new Map(payees.map(({ id, externalId }) => [id, externalId]));
    return ({ email, payeeId }) => (payeeId ? `payee:${externalIds.get(payeeId) ?? payeeId}` : `email:${email}`);
  }

  private async pay(
    client: Client,
    row: BatchRow,
    { payeeId, batched }: { payeeId: string; batched: BatchedRow },
  ): Promise<RowOutcome> {
    const { amountCents, currency, ref = null, reason = null, metadata } = row;
    const key = row.idempotencyKey
      ? { idempotencyKey: row.idempotencyKey }
      : { idempotencyKey: keyOfRow(batched.batchKey, payeeId), batched };
    const wish = { payeeId, amountCents, currency, ref, reason, metadata: metadata ?? {}, ...key };
    try {
      return await this.creation.run({ ...wish, client, source: 'batch', actor: 'client' });
    } catch (error) {
      if (error instanceof Refusal && ROW_CODES.includes(error.code))
        return { error: error.code as RowError, message: wordsOf(error, payeeId) };
      // No row goes through without the database: whoever sends the batch again pays each row once.
      if (error instanceof DatabaseTrouble && error.isEverybodys) throw error;
      log.error({ event: 'batch.row_failed', stack: (error as Error).stack }, (error as Error).message);
      return { error: 'internal_error', message: 'Send the batch again: this row is then paid once.' };
    }
  }
}

/** Among many rows it helps to read which. */
const wordsOf = ({ code, message }: Refusal, payeeId: string): string =>
  code === 'payee_not_found' ? `There is no such payee: ${payeeId}.` : message;

const isRow = (row: Row): row is BatchRow => !('error' in row);
