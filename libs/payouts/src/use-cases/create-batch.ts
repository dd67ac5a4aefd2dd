/**
 * Pays many payees in one call. A row is one payout by its own key, or by the batch's key and whom it pays: sent again in
 * any order, with rows added or taken away, every row is paid once. Each row goes the way of a single payout.
 */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Refusal, type RowError } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DatabaseTrouble } from '#libs/db';
import { PayeeReads, ResolveByEmail } from '#libs/payees';
import type { BatchedRow } from '#libs/payout-rules';
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
  async run(client: Client, batchKey: string, rows: (BatchRow | RefusedRow)[]): Promise<RowOutcome[]> {
    const emails = [...new Set(rows.filter(isRow).flatMap(({ email }) => email ?? []))];
    const batch = { clientId: client.id, batchKey };
    // Sent again it means the same payees, whoever has these addresses by now.
    const before = await this.addresses.find(batch, emails);
    const others = emails.filter((email) => !before.has(email));
    const known = new Map([...(await this.byEmail.known(client, others)), ...before]);
    await this.refuseDuplicates(client, rows, known);
    const missing = others.filter((email) => !known.has(email));
    const found = new Map([...known, ...(await this.byEmail.create(client, missing))]);
    const payees = others.length > 0 ? await this.addresses.keep(batch, found) : found;
    const whom = await this.names(client, rows.filter(isRow));
    const outcomes: RowOutcome[] = [];
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const some = rows.slice(from, from + AT_ONCE);
      const pay = (row: BatchRow | RefusedRow): RowOutcome | Promise<RowOutcome> =>
        isRow(row)
          ? this.pay(client, row, {
              payeeId: row.payeeId ?? (payees.get(row.email ?? '') as string),
              batched: { batchKey, whom: whom(row) },
            })
          : row;
      outcomes.push(...(await Promise.all(some.map(pay))));
    }
    return outcomes;
  }

  /** Rows that name nobody pay nobody: they are refused one by one. */
  private async refuseDuplicates(
    client: Client,
    rows: (BatchRow | RefusedRow)[],
    known: Map<string, string>,
  ): Promise<void> {
    const ambiguous = ambiguousTargets(rows, known);
    const named = await this.payees.existing(client.id, [...ambiguous.keys()].filter(isPayeeId));
    const indices = [...ambiguous]
      .filter(([target]) => !isPayeeId(target) || named.has(target))
      .flatMap(([, at]) => at);
    if (indices.length > 0)
      throw new Refusal('duplicate_target', 'Rows pay the same payee; give each of them its own idempotencyKey.', {
        indices: indices.sort((a, b) => a - b),
      });
  }

  /** How the caller names whom a row pays: by the address, or the payee's externalId. */
  private async names(client: Client, rows: BatchRow[]): Promise<(row: BatchRow) => string> {
    const payees = await this.payees.all(
      client.id,
      rows.flatMap(({ payeeId }) => payeeId ?? []),
    );
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
      : { idempotencyKey: derivedKey(batched.batchKey, payeeId), batched };
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

/** By whom it pays, never by its place. Written so that no other key and payee come to the same text. */
function derivedKey(batchKey: string, payeeId: string): string {
  return `batch:${createHash('sha256')
    .update(JSON.stringify([batchKey, payeeId]))
    .digest('hex')}`;
}

/** Among many rows it helps to read which. */
const wordsOf = ({ code, message }: Refusal, payeeId: string): string =>
  code === 'payee_not_found' ? `There is no such payee: ${payeeId}.` : message;

const isRow = (row: BatchRow | RefusedRow): row is BatchRow => !('error' in row);

const NEW_PAYEE = 'email:';
const isPayeeId = (target: string): boolean => !target.startsWith(NEW_PAYEE);

/** Whom rows pay without telling them apart, with the places of those rows. */
function ambiguousTargets(rows: (BatchRow | RefusedRow)[], known: Map<string, string>): Map<string, number[]> {
  const byTarget = new Map<string, { index: number; key: string | null }[]>();
  rows.forEach((row, index) => {
    if (!isRow(row)) return;
    const target = row.payeeId ?? known.get(row.email ?? '') ?? `${NEW_PAYEE}${row.email}`;
    byTarget.set(target, [...(byTarget.get(target) ?? []), { index, key: row.idempotencyKey ?? null }]);
  });
  const ambiguous = [...byTarget].filter(([, same]) => isAmbiguous(same));
  return new Map(ambiguous.map(([target, same]) => [target, same.map(({ index }) => index)]));
}

/** Paying somebody twice must be meant: each of the rows has a key of its own. */
function isAmbiguous(same: { key: string | null }[]): boolean {
  const keys = same.map(({ key }) => key);
  return same.length > 1 && (keys.includes(null) || new Set(keys).size < same.length);
}
