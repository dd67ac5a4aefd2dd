/** What a payee is owed, as one payout is made of it: which rows may leave, what goes out with it, and under which code. */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import {
  DisbursementBook,
  DisbursementReads,
  type Owed,
  type TakeLimits,
  type TakenRows,
  type TakeOrder,
} from '#libs/owed';
import type { Payee } from '#libs/payees';
import { type Cleared, isCancelled, type Leg, legsBefore, type PayoutSource } from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { ClearEarlier, type Free } from './clear-earlier';
import { RailCodes } from './rail-codes';

/** Everything known under the payee's lock that decides what may leave. */
export interface OwedSight {
  /** The client as it is by now. */
  client: Client;
  payee: Payee;
  owed: Owed[];
  /** Rows that may not leave: a rail has to say first what became of an earlier payout of theirs. */
  waiting: boolean;
  secondsToNext: number;
}

interface Whose {
  client: Client;
  payeeId: string;
  source: PayoutSource;
  mayAsk?: () => boolean;
}

export interface RowCode {
  railKey: string;
  codeSince: Date | null;
  /** A rail listed money under it that did not come back, or for other rows of this payee, or these of another, that nobody here knows of. */
  hasMoved: boolean;
  /** The calls that follow go on from there, under keys of their own. */
  legs: Leg[];
}

@Injectable()
export class OwedRows {
  constructor(
    private readonly reads: DisbursementReads,
    private readonly book: DisbursementBook,
    private readonly payouts: PayoutReads,
    private readonly clearing: ClearEarlier,
    private readonly codes: RailCodes,
  ) {}

  /** Comes first: what rails say of the payouts that rows were on before. May take seconds, and holds nothing meanwhile. */
  async ask({ client, payeeId, mayAsk = () => true }: Whose): Promise<Cleared> {
    const { earlier } = await this.reads.earlier(client.id, payeeId);
    return this.clearing.ask(earlier.length === 0 || mayAsk() ? earlier : [], { byCaller: true });
  }

  /** Locks the payouts that rows were on before, and says whose rows may leave: those of a cancelled one only if somebody asks for them. */
  async lockFree({ client, payeeId, source }: Whose, cleared: Cleared): Promise<Free & { hasEarlier: boolean }> {
    const { earlier, takenBack } = await this.reads.earlier(client.id, payeeId);
    const [stays, asWell] = source === 'auto_release' ? [isCancelled, []] : [() => false, takenBack];
    const free = await this.clearing.lockFree(payeeId, earlier, { cleared, stays });
    return { ...free, payoutIds: [...free.payoutIds, ...asWell], hasEarlier: earlier.length + takenBack.length > 0 };
  }

  owed(payeeId: string, free: string[]): Promise<Owed[]> {
    return this.reads.owed(payeeId, free);
  }

  async secondsToNext(payeeId: string, interval: number): Promise<number> {
    return interval === 0 ? 0 : this.payouts.secondsToNextWithdrawal(payeeId, interval);
  }

  take(order: TakeOrder, limits: TakeLimits): Promise<TakenRows> {
    return this.book.take(order, limits);
  }

  /** The code of a payout of these rows, and since when its rail knows it. */
  async codeOf(
    { clientId, externalId, email, provider }: Payee,
    payoutId: string,
    { currency, rows: { refsDigest, earlier } }: { currency: string; rows: TakenRows },
    accountId: string | null,
  ): Promise<RowCode> {
    const rows = { clientId, externalId, currency, refsDigest };
    const by = { payoutId, earlier, provider, accountId, email };
    const { railKey, wasSent, hasMoved, lastLeg } = await this.codes.unspent(rows, by);
    // Its rail said no to what was sent under it a moment ago, and remembers that for a while.
    return { railKey, codeSince: wasSent ? this.clearing.askedAt() : null, hasMoved, legs: legsBefore(lastLeg) };
  }
}
