/**
 * Creates payouts, each once per idempotency key. Requests that arrive together are created in one transaction; a repeated
 * key answers the payout that is there, or a conflict when it asks for another payment.
 */
import { Inject, Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/auth';
import { CONFIG, type Config } from '#libs/config';
import { Db } from '#libs/db';
import { Gatherer } from '#libs/gatherer';
import { NOT_THERE } from '#libs/http-kit';
import { type Payee, PayeeStore } from '#libs/payees';
import { PayoutReads } from '../db/payout.reads';
import { PayoutStore } from '../db/payout.store';
import { fingerprintOf, type PaymentWish, railKeyOf } from '../idempotency';
import type { Actor, Payout, PayoutChange, PayoutSource } from '../payout';
import { withStep } from '../payout';
import { PayoutGates } from './payout-gates';
import { RailQueue } from './rail-queue';
import { SendToRail } from './send-to-rail';

export interface PayoutIntent extends PaymentWish {
  client: Client;
  source: PayoutSource;
  actor: Actor;
  idempotencyKey: string;
  metadata: Record<string, string>;
}

export interface CreatedPayout {
  payout: Payout;
  duplicate: boolean;
}

type Outcome = CreatedPayout | Refusal;

@Injectable()
export class CreatePayouts {
  private readonly gatherer = new Gatherer<PayoutIntent, Outcome>((intents) => this.createAll(intents), { most: 64, atOnce: 2 });

  constructor(
    private readonly db: Db,
    private readonly reads: PayoutReads,
    private readonly store: PayoutStore,
    private readonly payees: PayeeStore,
    private readonly gates: PayoutGates,
    private readonly queue: RailQueue,
    private readonly sender: SendToRail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async run(intent: PayoutIntent): Promise<CreatedPayout> {
    const outcome = await this.gatherer.add(intent);
    if (outcome instanceof Refusal) throw outcome;
    if (outcome.duplicate) return outcome;
    return { payout: await this.sender.finish(outcome.payout), duplicate: false };
  }

  /** One outcome for each intent, in order. */
  private async createAll(intents: PayoutIntent[]): Promise<Outcome[]> {
    const known = await this.existing(intents);
    const fresh = uniqueByKey(intents.filter((intent) => !known.has(keyOf(intent))));
    const created = fresh.length > 0 ? await this.db.inTransaction(() => this.createFresh(fresh)) : new Map<string, Outcome>();
    // A key that another process claimed in the meantime is there now.
    const lost = fresh.filter((intent) => !created.has(keyOf(intent)));
    const late = lost.length > 0 ? await this.existing(lost) : new Map<string, Payout>();
    return intents.map((intent) => {
      const outcome = fresh.includes(intent) ? created.get(keyOf(intent)) : undefined;
      return outcome ?? replayed(intent, known.get(keyOf(intent)) ?? late.get(keyOf(intent)) ?? created.get(keyOf(intent)));
    });
  }

  private async existing(intents: PayoutIntent[]): Promise<Map<string, Payout>> {
    const keys = intents.map(({ client, idempotencyKey }) => ({ clientId: client.id, idempotencyKey }));
    const payouts = await this.reads.findByKeys(keys);
    return new Map(payouts.map((payout) => [`${payout.clientId} ${payout.idempotencyKey}`, payout]));
  }

  private async createFresh(intents: PayoutIntent[]): Promise<Map<string, Outcome>> {
    const payees = await this.lockedPayees(intents);
    const view = await this.gates.view([...payees.keys()]);
    const outcomes = new Map<string, Outcome>();
    const changes: PayoutChange[] = [];
    for (const intent of intents) {
      const payee = payees.get(intent.payeeId);
      if (payee?.clientId !== intent.client.id) {
        outcomes.set(keyOf(intent), new Refusal('payee_not_found', NOT_THERE));
        continue;
      }
      const requested = this.requested(intent, payee);
      changes.push(this.gates.judge(requested, view, { client: intent.client, payee, bypassFloor: false, actor: intent.actor }));
    }
    const payouts = changes.length > 0 ? await this.store.insert(changes) : [];
    await this.queue.add(payouts);
    for (const payout of payouts) outcomes.set(`${payout.clientId} ${payout.idempotencyKey}`, { payout, duplicate: false });
    return outcomes;
  }

  private async lockedPayees(intents: PayoutIntent[]): Promise<Map<string, Payee>> {
    const payees = await this.payees.lockAll([...new Set(intents.map(({ payeeId }) => payeeId))]);
    return new Map(payees.map((payee) => [payee.id, payee]));
  }

  private requested(intent: PayoutIntent, payee: Payee): PayoutChange {
    const { client, idempotencyKey, source, amountCents, currency, reason, ref, metadata } = intent;
    const after: Payout = {
      ...UNROUTED,
      id: newId(),
      clientId: client.id,
      payeeId: payee.id,
      externalId: payee.externalId,
      fingerprint: fingerprintOf(intent),
      railKey: railKeyOf(this.config.deployment, client.id, idempotencyKey),
      testMode: client.testMode,
      ...{ idempotencyKey, source, amountCents, currency, reason, ref, metadata },
    };
    return withStep({ before: null, after, trail: [] }, { on: 'create', actor: intent.actor });
  }
}

/** A payout before its first step; the database sets the times. */
const UNROUTED = {
  status: 'requested',
  sequence: 0,
  provider: null,
  providerRef: null,
  custody: null,
  accountId: null,
  failureKind: null,
  statusReason: null,
  claimUrl: null,
  claimedAt: null,
  settledAt: null,
  liftingFeeCents: 0,
  toSend: false,
  submittedAt: null,
  authorizedOn: null,
  createdAt: undefined as unknown as Date,
  updatedAt: undefined as unknown as Date,
} as const;

const keyOf = ({ client, idempotencyKey }: PayoutIntent): string => `${client.id} ${idempotencyKey}`;

function uniqueByKey(intents: PayoutIntent[]): PayoutIntent[] {
  return [...new Map(intents.map((intent) => [keyOf(intent), intent]).reverse() as [string, PayoutIntent][]).values()].reverse();
}

function replayed(intent: PayoutIntent, original: Payout | Outcome | undefined): Outcome {
  if (original instanceof Refusal) return original;
  const payout = original && ('payout' in original ? original.payout : original);
  if (!payout) throw new Error('A payout whose key is taken cannot be found.');
  if (payout.fingerprint.equals(fingerprintOf(intent))) return { payout, duplicate: true };
  return new Refusal('idempotency_conflict', 'This idempotencyKey belongs to a payout with another payee, amount, currency, ref or reason.');
}
