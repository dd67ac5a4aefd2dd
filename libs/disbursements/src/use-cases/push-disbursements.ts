/**
 * Writes down what is owed, each row once per reference. A repeated row answers the first one and touches nothing. The new
 * rows, the balances they add to, their mails and what they set off are one transaction.
 */
import { Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import { FairSlots } from '#libs/batcher';
import type { Client } from '#libs/clients';
import { Db, whenFree } from '#libs/db';
import { isRefusal, type RowRefusal } from '#libs/http-kit';
import { type Disbursement, DisbursementBook, DisbursementReads, isReservedRef, type NewRow } from '#libs/owed';
import type { PushRow, TargetedPush } from '../push';
import { FollowCredit } from './follow-credit';
import { PushTargets } from './push-targets';

export interface PushedRow {
  disbursement: Disbursement;
  duplicate: boolean;
}

type Wish = PushRow | RowRefusal;

const RESERVED: RowRefusal = { error: 'invalid_external_ref', message: "externalRef must not begin with 'return:'." };
/** One with an e-mail address gets a payee. */
const noPayee = ({ payeeId }: PushRow): RowRefusal => ({
  error: 'payee_not_found',
  message: `There is no such payee: ${payeeId}.`,
});

/** A push of many rows holds a connection, and the balances of its payees, for a while. What others hold it waits for without a place. */
const PUSHES = { atOnce: 3, perLane: 1, longestRestMs: 500 };

@Injectable()
export class PushDisbursements {
  private readonly slots = new FairSlots(PUSHES);

  constructor(
    private readonly db: Db,
    private readonly reads: DisbursementReads,
    private readonly store: DisbursementBook,
    private readonly targets: PushTargets,
    private readonly credit: FollowCredit,
  ) {}

  /** One outcome for each row, in order. */
  async run(client: Client, wishes: Wish[], sendEmail: boolean): Promise<(PushedRow | RowRefusal)[]> {
    const rows = wishes.filter(isRow);
    const refs = rows.map(({ externalRef }) => externalRef);
    const known = await this.reads.byRefs(client.id, refs);
    const payees = await this.targets.of(
      client,
      rows.filter(({ externalRef }) => !known.has(externalRef) && !isReservedRef(externalRef)),
    );
    const made = await this.insert(client, payees, sendEmail);
    const stored = await this.reads.byRefs(client.id, refs);
    return wishes.map((wish) => {
      if (!isRow(wish)) return wish;
      const disbursement = stored.get(wish.externalRef);
      if (disbursement) return { disbursement, duplicate: !made.has(wish.externalRef) };
      return isReservedRef(wish.externalRef) ? RESERVED : noPayee(wish);
    });
  }

  private async insert(client: Client, wanted: TargetedPush[], sendEmail: boolean): Promise<Set<string>> {
    if (wanted.length === 0) return new Set();
    const rows = wanted.map((row) => newRow(client, row));
    const insert = async (): Promise<Set<string>> => {
      await this.targets.name(client, wanted);
      const written = await this.store.insert(rows);
      const made = wanted.filter(({ externalRef }) => written.has(externalRef));
      await this.credit.tell(client, made, sendEmail);
      return written;
    };
    return this.db.foundAgain(
      () => whenFree(() => this.slots.run(client.id, () => this.db.inBriefTransaction(insert))),
      () => this.written(client, rows),
    );
  }

  /** Those of these very rows that are there; null if there is none: somebody else may have pushed all of them. */
  private async written(client: Client, rows: NewRow[]): Promise<Set<string> | null> {
    const refs = rows.map(({ externalRef }) => externalRef);
    const stored = await this.reads.byRefs(client.id, refs);
    const written = rows.filter(({ id, externalRef }) => stored.get(externalRef)?.id === id);
    return written.length === 0 ? null : new Set(written.map(({ externalRef }) => externalRef));
  }
}

function newRow(client: Client, { payeeId, externalRef, amountCents, currency, reason = null }: TargetedPush): NewRow {
  return { id: newId(), clientId: client.id, payeeId, externalRef, amountCents, currency, reason };
}

const isRow = (row: Wish): row is PushRow => !isRefusal(row);
