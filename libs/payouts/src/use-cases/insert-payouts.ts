/** Makes new payouts in one transaction: each is put to its gates under its payee's lock, and those that tip a floor go on. */
import { Inject, Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import type { LockedPayees, Payee } from '#libs/payees';
import {
  type Actor,
  type BatchedRow,
  batchRailKeyOf,
  fingerprintOf,
  type PaymentWish,
  type Payout,
  type PayoutChange,
  type PayoutSource,
  railKeyOf,
  UNROUTED,
  withStep,
} from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { isDuplicateKey } from '../db/payout.store';
import { ChangePayout } from './change-payout';
import { type GateView, PayoutGates } from './payout-gates';
import { ReleaseHeld } from './release-held';

export interface PayoutIntent extends PaymentWish {
  client: Client;
  source: PayoutSource;
  actor: Actor;
  idempotencyKey: string;
  /** The batch row that the rail's code is derived from, if the key holds an id of ours. */
  batched?: BatchedRow;
  metadata: Record<string, string>;
}

/** `busy`: somebody holds its payee or its wallet. */
export type InsertOutcomes = Map<PayoutIntent, Payout | Refusal | 'busy'>;

interface KnownKeys {
  isUsed: (intent: PayoutIntent) => boolean;
  /** Its rail listed money under the code, and no payout has it. */
  hasMoved: (intent: PayoutIntent) => boolean;
}

interface Looked extends Pick<KnownKeys, 'hasMoved'> {
  payees: LockedPayees;
  view: GateView;
  outcomes: InsertOutcomes;
}

@Injectable()
export class InsertPayouts {
  constructor(
    private readonly change: ChangePayout,
    private readonly gates: PayoutGates,
    private readonly releases: ReleaseHeld,
    private readonly reads: PayoutReads,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The outcome of each intent; one whose key is in use is missing. Waits for whoever holds their payees and wallets. */
  run(intents: PayoutIntent[]): Promise<InsertOutcomes> {
    return this.withoutUsedKeys(intents, (wanted, outcomes) =>
      this.change.lockingPayees(payeesOf(wanted), async (locking) => {
        const [payees, { isUsed, hasMoved }, view] = await Promise.all([
          locking,
          this.knownKeys(wanted),
          this.gates.view(payeesOf(wanted), wanted),
        ]);
        return this.inserted(wanted.filter(not(isUsed)), { payees, view, outcomes, hasMoved });
      }),
    );
  }

  /** The same for intents of many clients, without waiting: what would have to is `busy`. */
  runFree(intents: PayoutIntent[]): Promise<InsertOutcomes> {
    return this.withoutUsedKeys(intents, (wanted, outcomes) =>
      this.change.lockingFreePayees(payeesOf(wanted), async (locking) => {
        const [{ payees, busy }, { isUsed, hasMoved }, { view, isBusy }] = await Promise.all([
          locking,
          this.knownKeys(wanted),
          this.gates.viewOfFree(payeesOf(wanted), wanted),
        ]);
        // While its payee is locked, nobody can know whether the payout is there.
        const isHeld = ({ payeeId }: PayoutIntent): boolean => busy.has(payeeId);
        const fresh = wanted.filter((intent) => !isHeld(intent) && !isUsed(intent));
        for (const intent of [...wanted.filter(isHeld), ...fresh.filter(isBusy)]) outcomes.set(intent, 'busy');
        return this.inserted(fresh.filter(not(isBusy)), { payees, view, outcomes, hasMoved });
      }),
    );
  }

  /** Should somebody take a key for another payee at the same moment, all is undone, and done again without it. */
  private async withoutUsedKeys(
    intents: PayoutIntent[],
    insert: (wanted: PayoutIntent[], outcomes: InsertOutcomes) => Promise<Payout[]>,
  ): Promise<InsertOutcomes> {
    for (let wanted = intents; ;) {
      const outcomes: InsertOutcomes = new Map();
      try {
        return withPayouts(outcomes, wanted, await insert(wanted, outcomes));
      } catch (error) {
        const known = isDuplicateKey(error) ? await this.reads.findByKeys(wanted.map(requestOf)) : [];
        if (known.length === 0) throw error;
        const used = new Set(known.map(keyOf));
        wanted = wanted.filter((intent) => !used.has(keyOfIntent(intent)));
      }
    }
  }

  private async inserted(fresh: PayoutIntent[], { payees, view, outcomes, hasMoved }: Looked): Promise<Payout[]> {
    const payeeOf = ({ payeeId, client }: PayoutIntent): Payee | null => {
      const payee = payees.get(payeeId);
      return payee?.clientId === client.id ? payee : null;
    };
    for (const intent of fresh) if (!payeeOf(intent)) outcomes.set(intent, new Refusal('payee_not_found'));
    const changes = firstOfEach(fresh.filter(payeeOf), keyOfIntent).map((intent) => {
      const { client, actor } = intent;
      const payee = payeeOf(intent) as Payee;
      const draft = this.draft(intent, payee);
      // A restored database asks for it again; some rails are called by the request, and nobody would look once more.
      if (hasMoved(intent)) view.disputed.add(draft.after.id);
      return this.gates.judge(draft, view, { client, payee, actor, bypassFloor: false });
    });
    return this.releases.releaseReached(await this.change.insert(changes), payees, view);
  }

  /**
   * A process that made one of these before held the same payee. Inserting it again would count it twice, and would wait for whoever
   * changes it, with the wallet locked that they are about to need.
   */
  private async knownKeys(intents: PayoutIntent[]): Promise<KnownKeys> {
    const known = await this.reads.knownRailKeys(intents.flatMap((intent) => this.railKeysOf(intent)));
    return {
      isUsed: (intent) => this.railKeysOf(intent).some((railKey) => known.used.has(railKey)),
      hasMoved: (intent) => this.railKeysOf(intent).some((railKey) => known.moved.has(railKey)),
    };
  }

  /** The code, and the one that an earlier version made of the key of a batch's row. */
  private railKeysOf({ client, idempotencyKey, batched }: PayoutIntent): [string, ...string[]] {
    const { deployment } = this.config;
    const ofKey = railKeyOf(deployment, client.id, idempotencyKey);
    return batched ? [batchRailKeyOf(deployment, client.id, batched), ofKey] : [ofKey];
  }

  private draft(intent: PayoutIntent, payee: Payee): PayoutChange {
    const { client, idempotencyKey, source, amountCents, currency, reason, ref, metadata } = intent;
    const after: Payout = {
      ...UNROUTED,
      id: newId(),
      clientId: client.id,
      payeeId: payee.id,
      externalId: payee.externalId,
      fingerprint: fingerprintOf(intent),
      railKey: this.railKeysOf(intent)[0],
      testMode: client.testMode,
      ...{ idempotencyKey, source, amountCents, currency, reason, ref, metadata },
    };
    return withStep({ before: null, after, trail: [] }, { on: 'create', actor: intent.actor });
  }
}

const not =
  <T>(is: (item: T) => boolean) =>
  (item: T): boolean =>
    !is(item);

const payeesOf = (intents: PayoutIntent[]): string[] => intents.map(({ payeeId }) => payeeId);

function withPayouts(outcomes: InsertOutcomes, intents: PayoutIntent[], payouts: Payout[]): InsertOutcomes {
  const created = new Map(payouts.map((payout) => [keyOf(payout), payout]));
  for (const intent of intents) {
    const payout = created.get(keyOfIntent(intent));
    if (payout?.payeeId === intent.payeeId) outcomes.set(intent, payout);
  }
  return outcomes;
}

export function firstOfEach<T>(items: T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

export const keyOf = (payout: { clientId: string; idempotencyKey: string }): string =>
  `${payout.clientId} ${payout.idempotencyKey}`;

export const requestOf = ({ client, idempotencyKey }: PayoutIntent): { clientId: string; idempotencyKey: string } => ({
  clientId: client.id,
  idempotencyKey,
});

export const keyOfIntent = (intent: PayoutIntent): string => keyOf(requestOf(intent));
