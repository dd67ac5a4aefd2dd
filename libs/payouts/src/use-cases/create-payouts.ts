/**
 * Creates payouts, each once per idempotency key. Requests that arrive together are created in one transaction; a repeated
 * key answers the payout that is there, or a conflict when it asks for another payment.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { Batcher, FreeFirst, Portions } from '#libs/batcher';
import { Db } from '#libs/db';
import { fingerprintOf, type Payout } from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { ChangePayout } from './change-payout';
import {
  firstOfEach,
  type InsertOutcomes,
  InsertPayouts,
  keyOf,
  keyOfIntent,
  type PayoutIntent,
  requestOf,
} from './insert-payouts';
import { SendToRail } from './send-to-rail';

export interface CreatedPayout {
  payout: Payout;
  duplicate: boolean;
}

type Outcome = CreatedPayout | Refusal;

const SINGLES_COME_MS = 5_000;

@Injectable()
export class CreatePayouts {
  private readonly singles = new Batcher<PayoutIntent, Outcome | 'busy'>(
    (intents) => this.createFree(intents),
    SINGLES,
  );
  /** A queue of their own: a single payout must not wait behind the thousands of rows of somebody's batches. */
  private readonly rows = new Batcher<PayoutIntent, Outcome | 'busy'>((intents) => this.createPortion(intents), ROWS);
  private readonly portions = new Portions({ turnWithinMs: 1_000, longestRestMs: 250, restTimes: 2 });
  private lastSingleAt = -Infinity;
  /** Those whose payee or wallet somebody holds: they wait beside the others, and only with those of the same client. */
  private readonly freeFirst: FreeFirst<PayoutIntent, Outcome>;

  constructor(
    private readonly db: Db,
    private readonly reads: PayoutReads,
    private readonly insertion: InsertPayouts,
    private readonly sender: SendToRail,
    change: ChangePayout,
  ) {
    this.freeFirst = new FreeFirst(
      { free: (intents) => this.createFree(intents), waiting: (intents) => this.createAll(intents) },
      { laneOf: clientOf, slots: change.waiting },
    );
  }

  async run(intent: PayoutIntent): Promise<CreatedPayout> {
    if (intent.source !== 'batch') this.lastSingleAt = performance.now();
    const outcome = await this.freeFirst.run(intent, intent.source === 'batch' ? this.rows : this.singles);
    if (outcome instanceof Refusal) throw outcome;
    if (outcome.duplicate) return outcome;
    return { payout: await this.sender.sendOwn(outcome.payout), duplicate: false };
  }

  /** One outcome for each intent, in order. */
  private async createAll(intents: PayoutIntent[]): Promise<Outcome[]> {
    const outcomes = await this.create(intents, (fresh) => this.insertion.run(fresh));
    if (outcomes.includes('busy')) throw new Error('Whoever waits is not busy.');
    return outcomes as Outcome[];
  }

  /** As long as single payouts come, two thirds of the time are theirs. */
  private createPortion(intents: PayoutIntent[]): Promise<(Outcome | 'busy')[]> {
    const create = (): Promise<(Outcome | 'busy')[]> => this.createFree(intents);
    return performance.now() - this.lastSingleAt < SINGLES_COME_MS ? this.portions.run(create) : create();
  }

  private createFree(intents: PayoutIntent[]): Promise<(Outcome | 'busy')[]> {
    return this.create(intents, (fresh) => this.insertion.runFree(fresh));
  }

  private async create(
    intents: PayoutIntent[],
    insert: (fresh: PayoutIntent[]) => Promise<InsertOutcomes>,
  ): Promise<(Outcome | 'busy')[]> {
    const fresh = withoutRepeats(intents);
    const made = await this.db.foundAgain(
      () => insert(fresh),
      () => this.committed(fresh),
    );
    const isMade = (intent: PayoutIntent): boolean => made.has(intent) && made.get(intent) !== 'busy';
    const originals = await this.existing(intents.filter((intent) => !isMade(intent)));
    const busy = new Set<string>();
    for (const [intent, outcome] of made) {
      if (outcome === 'busy') busy.add(keyOfIntent(intent));
      else if (!(outcome instanceof Refusal)) originals.set(keyOfIntent(intent), outcome);
    }
    return intents.map((intent) => {
      const [outcome, original] = [made.get(intent), originals.get(keyOfIntent(intent))];
      if (outcome instanceof Refusal) return outcome;
      if (outcome && outcome !== 'busy') return { payout: outcome, duplicate: false };
      // A repeated key waits for nobody; the repeat of a request that has to wait waits too.
      return !original && busy.has(keyOfIntent(intent)) ? 'busy' : originalOrConflict(intent, original);
    });
  }

  /**
   * If nobody knows whether they were committed, and each of them is there, all are answered as repeated. One that was there before proves
   * nothing about the others.
   */
  private async committed(intents: PayoutIntent[]): Promise<InsertOutcomes | null> {
    const found = await this.existing(intents);
    return intents.every((intent) => found.has(keyOfIntent(intent))) ? new Map() : null;
  }

  private async existing(intents: PayoutIntent[]): Promise<Map<string, Payout>> {
    if (intents.length === 0) return new Map();
    const payouts = await this.reads.findByKeys(intents.map(requestOf));
    return new Map(payouts.map((payout) => [keyOf(payout), payout]));
  }
}

const clientOf = ({ client: { id } }: PayoutIntent): string => id;
const SINGLES = { most: 64, atOnce: 2, laneOf: clientOf };
const ROWS = { ...SINGLES, atOnce: 1 };

/** Equal keys for different payees may all be tried: of some there may be no such payee. */
function withoutRepeats(intents: PayoutIntent[]): PayoutIntent[] {
  return firstOfEach(intents, (intent) => `${intent.payeeId} ${keyOfIntent(intent)}`);
}

function originalOrConflict(intent: PayoutIntent, payout: Payout | undefined): Outcome {
  if (!payout) return new Refusal('payee_not_found');
  if (payout.fingerprint.equals(fingerprintOf(intent))) return { payout, duplicate: true };
  return new Refusal(
    'idempotency_conflict',
    'This idempotencyKey belongs to a payout with another payee, amount, currency, ref or reason.',
  );
}
