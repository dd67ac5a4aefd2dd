/**
 * Pays rows that somebody else keeps as one payout per currency, in one transaction: under the payee's lock they are looked
 * at and taken, each payout is put to its gates, and the payouts they were on before are superseded.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/auth';
import { CONFIG, type Config } from '#libs/config';
import { NOT_THERE } from '#libs/http-kit';
import type { Payee } from '#libs/payees';
import { walletKey } from '#libs/wallets';
import { PayoutReads } from '../db/payout.reads';
import { consolidatedRailKeyOf } from '../idempotency';
import { type Actor, type Payout, type PayoutChange, type PayoutSource, withStep } from '../payout';
import { ChangePayout } from './change-payout';
import { UNROUTED } from './insert-payouts';
import { PayoutGates } from './payout-gates';
import { ReleaseHeld } from './release-held';

/** What there is to release, seen under the payee's lock. */
export interface InSight {
  currencies: string[];
  /** The failed payouts that the rows were on before. */
  earlier: string[];
}

export interface TakeOrder {
  payeeId: string;
  currency: string;
  /** The payout that is going to be made of the rows. */
  payoutId: string;
  /** Rows of other payouts are not to be taken: those are not locked. */
  earlier: string[];
  /** What a prepaid client's wallet covers; null where there is no limit. */
  coveredCents: number | null;
}

export interface Taken {
  amountCents: number;
  reason: string | null;
  /** The same for the same rows, whatever their order. */
  refsDigest: string;
  earlier: string[];
}

export interface Consolidation {
  client: Client;
  payeeId: string;
  source: PayoutSource;
  actor: Actor;
  /** Throws where nothing may be released. */
  look(payee: Payee): Promise<InSight>;
  /** null: no row could be taken. */
  take(order: TakeOrder): Promise<Taken | null>;
  /** After the last one; throws where nothing is to come of it. */
  taken(): void;
}

@Injectable()
export class ConsolidatePayouts {
  constructor(
    private readonly change: ChangePayout,
    private readonly gates: PayoutGates,
    private readonly held: ReleaseHeld,
    private readonly reads: PayoutReads,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  run(consolidation: Consolidation): Promise<Payout[]> {
    const { client, payeeId } = consolidation;
    return this.change.withPayees([payeeId], async (payees) => {
      const payee = payees.get(payeeId);
      if (payee?.clientId !== client.id) throw new Refusal('payee_not_found', NOT_THERE);
      const inSight = await consolidation.look(payee);
      await this.reads.lockAll(inSight.earlier);
      return this.held.tippedBy(await this.made(consolidation, payee, inSight), payees);
    });
  }

  private async made(consolidation: Consolidation, payee: Payee, { currencies, earlier }: InSight): Promise<Payout[]> {
    const { client, actor } = consolidation;
    const view = await this.gates.view(
      [payee.id],
      currencies.map((currency) => ({ client, currency })),
    );
    const changes: PayoutChange[] = [];
    const superseded: { ids: string[]; by: string }[] = [];
    for (const currency of currencies) {
      const payoutId = newId();
      const covered = view.wallets.get(walletKey({ clientId: client.id, currency })) ?? 0;
      const coveredCents = client.prepaid ? covered : null;
      const taken = await consolidation.take({ payeeId: payee.id, currency, payoutId, earlier, coveredCents });
      if (!taken) continue;
      const draft = await this.draft(consolidation, payee, { payoutId, currency, ...taken });
      changes.push(this.gates.judge(draft, view, { client, payee, actor, bypassFloor: false }));
      if (taken.earlier.length > 0) superseded.push({ ids: taken.earlier, by: payoutId });
    }
    consolidation.taken();
    // The last payout of a code is the only one that is not superseded: the earlier ones make way first.
    for (const { ids, by } of superseded) await this.change.supersede(ids, by);
    const payouts = await this.change.insert(changes);
    if (payouts.length !== changes.length) throw new Error('A payout of owed rows has a key that is taken.');
    return payouts;
  }

  private async draft(
    { client, source, actor }: Consolidation,
    payee: Payee,
    { payoutId, currency, amountCents, reason, refsDigest }: Taken & { payoutId: string; currency: string },
  ): Promise<PayoutChange> {
    const railKey = await this.unspentKey({ clientId: client.id, payeeId: payee.id, currency, refsDigest });
    const after: Payout = {
      ...UNROUTED,
      id: payoutId,
      clientId: client.id,
      payeeId: payee.id,
      externalId: payee.externalId,
      source,
      idempotencyKey: `${source}:${payoutId}`,
      fingerprint: createHash('sha256').update(refsDigest).digest(),
      railKey,
      testMode: client.testMode,
      ...{ amountCents, currency, reason, ref: null, metadata: {} },
      consolidates: true,
    };
    return withStep({ before: null, after, trail: [] }, { on: 'create', actor });
  }

  private async unspentKey(rows: Parameters<typeof consolidatedRailKeyOf>[1]): Promise<string> {
    for (let refusals = 0; ; refusals += 1) {
      const railKey = consolidatedRailKeyOf(this.config.deployment, rows, refusals);
      if (!(await this.reads.isSpent(railKey))) return railKey;
    }
  }
}
