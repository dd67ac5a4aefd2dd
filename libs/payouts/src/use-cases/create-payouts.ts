/**
 * Creates payouts, each once per idempotency key. Requests that arrive together are created in one transaction; a repeated
 * key answers the payout that is there, or a conflict when it asks for another payment.
 */
import { Inject, Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/auth';
import { CONFIG, type Config } from '#libs/config';
import { Gatherer } from '#libs/gatherer';
import { NOT_THERE } from '#libs/http-kit';
import type { Payee } from '#libs/payees';
import { PayoutReads } from '../db/payout.reads';
import { fingerprintOf, type PaymentWish, railKeyOf } from '../idempotency';
import { type Actor, type Payout, type PayoutChange, type PayoutSource, withStep } from '../payout';
import { ChangePayout } from './change-payout';
import { type GateView, PayoutGates } from './payout-gates';
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
  private readonly gatherer = new Gatherer<PayoutIntent, Outcome>((intents) => this.createAll(intents), {
    most: 64,
    atOnce: 2,
  });

  constructor(
    private readonly reads: PayoutReads,
    private readonly change: ChangePayout,
    private readonly gates: PayoutGates,
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
    const fresh = firstOfEachKey(intents.filter((intent) => !known.has(keyOf(intent))));
    const outcomes = fresh.length > 0 ? await this.createFresh(fresh) : new Map<PayoutIntent, Outcome>();
    // A key that another process claimed in the meantime is there now.
    const late = await this.existing(fresh.filter((intent) => !outcomes.has(intent)));
    const originals = new Map([...known, ...late]);
    for (const [intent, outcome] of outcomes) if ('payout' in outcome) originals.set(keyOf(intent), outcome.payout);
    return intents.map((intent) => outcomes.get(intent) ?? replayed(intent, originals.get(keyOf(intent))));
  }

  private async existing(intents: PayoutIntent[]): Promise<Map<string, Payout>> {
    if (intents.length === 0) return new Map();
    const keys = intents.map(({ client, idempotencyKey }) => ({ clientId: client.id, idempotencyKey }));
    const payouts = await this.reads.findByKeys(keys);
    return new Map(payouts.map((payout) => [`${payout.clientId} ${payout.idempotencyKey}`, payout]));
  }

  private async createFresh(intents: PayoutIntent[]): Promise<Map<PayoutIntent, Outcome>> {
    const outcomes = new Map<PayoutIntent, Outcome>();
    const payouts = await this.change.create(
      intents.map(({ payeeId }) => payeeId),
      async (payees) => {
        const view = await this.gates.view([...payees.keys()]);
        return intents.flatMap((intent) => {
          const payee = payees.get(intent.payeeId);
          if (payee?.clientId === intent.client.id) return [this.judged(intent, payee, view)];
          outcomes.set(intent, new Refusal('payee_not_found', NOT_THERE));
          return [];
        });
      },
    );
    const created = new Map(payouts.map((payout) => [`${payout.clientId} ${payout.idempotencyKey}`, payout]));
    for (const intent of intents) {
      const payout = created.get(keyOf(intent));
      if (payout) outcomes.set(intent, { payout, duplicate: false });
    }
    return outcomes;
  }

  private judged(intent: PayoutIntent, payee: Payee, view: GateView): PayoutChange {
    const { client, actor } = intent;
    return this.gates.judge(this.requested(intent, payee), view, { client, payee, actor, bypassFloor: false });
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

function firstOfEachKey(intents: PayoutIntent[]): PayoutIntent[] {
  const seen = new Set<string>();
  return intents.filter((intent) => !seen.has(keyOf(intent)) && seen.add(keyOf(intent)));
}

function replayed(intent: PayoutIntent, payout: Payout | undefined): Outcome {
  // The first of two equal keys had no such payee; the second has none either.
  if (!payout) return new Refusal('payee_not_found', NOT_THERE);
  if (payout.fingerprint.equals(fingerprintOf(intent))) return { payout, duplicate: true };
  return new Refusal(
    'idempotency_conflict',
    'This idempotencyKey belongs to a payout with another payee, amount, currency, ref or reason.',
  );
}
