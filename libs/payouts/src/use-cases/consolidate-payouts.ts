/**
 * Pays rows that somebody else keeps as one payout per currency, in one transaction: under the payee's lock they are looked
 * at and taken, each payout is put to its gates, and the payouts they were on before are superseded.
 */
import { Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { NOT_THERE } from '#libs/http-kit';
import type { Earlier, Taken, TakeOrder } from '#libs/owed';
import type { Payee, Room } from '#libs/payees';
import { walletKey } from '#libs/wallets';
import { type Actor, type Payout, type PayoutChange, type PayoutSource, withStep } from '../payout';
import { fingerprintOfRows } from '../idempotency';
import { ChangePayout } from './change-payout';
import { ClearEarlier, type Cleared } from './clear-earlier';
import { UNROUTED } from './insert-payouts';
import { clientNow, type GateView, PayoutGates, type ViewWithoutWallets } from './payout-gates';
import { RailCodes } from './rail-codes';
import { ReleaseHeld } from './release-held';

export interface Consolidation {
  client: Client;
  payeeId: string;
  source: PayoutSource;
  actor: Actor;
  /** The payouts that owed rows of the payee were on before, or came back from. */
  earlier(): Promise<Earlier[]>;
  /**
   * The currencies in which there are rows of those payouts, or of none, and what the client allows by now; throws where
   * nothing may be released.
   */
  look(client: Client, payee: Payee, free: string[]): Promise<string[]>;
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
    private readonly codes: RailCodes,
    private readonly clearing: ClearEarlier,
  ) {}

  /** Comes first: what rails say of the payouts that rows were on before. May take seconds, and holds nothing meanwhile. */
  async ask({ earlier }: Pick<Consolidation, 'earlier'>): Promise<Cleared> {
    return this.clearing.ask(await earlier());
  }

  /** Whatever somebody holds for long is waited for outside of the room. */
  async run(asked: Consolidation, cleared: Cleared, room: Room): Promise<Payout[]> {
    const { payeeId } = asked;
    let ids: string[] = [];
    const work = (): Promise<Payout[]> =>
      this.change.withPayeeInRoom(payeeId, room, async (payees, locked) => {
        ids = []; // a transaction that gave way starts anew
        const payee = payees.get(payeeId);
        if (payee?.clientId !== asked.client.id) throw new Refusal('payee_not_found', NOT_THERE);
        const free = await this.clearing.lockFree(payeeId, await asked.earlier(), cleared);
        const known = await this.gates.withoutWallets([payeeId], [asked.client.id]);
        const consolidation = { ...asked, client: clientNow(asked.client, known) };
        const { view, currencies } = await this.drawn(consolidation, { payee, free, known });
        await locked();
        const made = await this.made(consolidation, payee, { view, currencies, free, ids });
        return this.held.releaseReached(made, payees, view);
      });
    return this.change.foundAgain(work, () => ids);
  }

  private async drawn(
    { client, look }: Consolidation,
    { payee, free, known }: { payee: Payee; free: string[]; known: ViewWithoutWallets },
  ): Promise<{ view: GateView; currencies: string[] }> {
    const currencies = await look(client, payee, free);
    const drawn = currencies.map((currency) => ({ client, currency }));
    return { view: await this.gates.withWallets(known, drawn), currencies };
  }

  private async made(
    consolidation: Consolidation,
    payee: Payee,
    { view, currencies, free, ids }: { view: GateView; currencies: string[]; free: string[]; ids: string[] },
  ): Promise<Payout[]> {
    const { client, actor } = consolidation;
    const changes: PayoutChange[] = [];
    const superseded: { ids: string[]; by: string }[] = [];
    for (const currency of currencies) {
      const payoutId = newId();
      const covered = view.wallets.get(walletKey({ clientId: client.id, currency })) ?? 0;
      const coveredCents = client.prepaid ? covered : null;
      const taken = await consolidation.take({ payeeId: payee.id, currency, payoutId, free, coveredCents });
      if (!taken) continue;
      ids.push(payoutId);
      const { draft, hasMoved } = await this.draft(consolidation, payee, { payoutId, currency, ...taken });
      // A restored database asks for it again; some rails are called by the request, and nobody would look once more.
      if (hasMoved) view.disputed.add(payoutId);
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
    { payoutId, currency, amountCents, reason, refsDigest, earlier }: Taken & { payoutId: string; currency: string },
  ): Promise<{ draft: PayoutChange; hasMoved: boolean }> {
    const code = { clientId: client.id, externalId: payee.externalId, currency, refsDigest };
    const { railKey, wasSent, hasMoved } = await this.codes.unspent(code, earlier);
    const after: Payout = {
      ...UNROUTED,
      id: payoutId,
      clientId: client.id,
      payeeId: payee.id,
      externalId: payee.externalId,
      source,
      idempotencyKey: `${source}:${payoutId}`,
      fingerprint: fingerprintOfRows(refsDigest),
      railKey,
      // Its rail said no to what was sent under it a moment ago, and remembers that for a while.
      codeSince: wasSent ? this.clearing.askedAt() : null,
      testMode: client.testMode,
      ...{ amountCents, currency, reason, ref: null, metadata: {} },
      consolidates: true,
    };
    return { draft: withStep({ before: null, after, trail: [] }, { on: 'create', actor }), hasMoved };
  }
}
