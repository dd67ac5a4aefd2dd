/** A payee who is owed money, on a rail whose answers the spec decides, and what specs do with both. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { type Drift, DriftReads } from '#libs/drift';
import { type Disbursement, DisbursementReads, type DisputedRows } from '#libs/owed';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, refused, startMoneyWorld } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { ResolveDrift } from '#libs/reconciliation';
import { compare } from '#libs/reconciliation/testing';
import { DisbursementsModule } from '../../src/disbursements.module';
import { PushDisbursements } from '../../src/use-cases/push-disbursements';
import { ReleaseOwed } from '../../src/use-cases/release-owed';
import { SettleDisputed } from '../../src/use-cases/settle-disputed';

export const startOwedWorld = ({ proxied = false } = {}): Promise<MoneyWorld> =>
  startMoneyWorld({
    proxied,
    also: [DisbursementsModule],
    does: (name) => name.startsWith('owed'),
  });

export class OwedScene {
  private constructor(
    private readonly world: MoneyWorld,
    readonly client: Client,
    readonly payee: Payee,
  ) {}

  /** FR: a payee with an account. */
  static async of(world: MoneyWorld, client: Client, country = 'FR', fields: Partial<Payee> = {}): Promise<OwedScene> {
    const payee = await world.payee(client, { country, ...fields });
    if (country === 'FR') await world.adopt(client, payee);
    return new OwedScene(world, client, payee);
  }

  async push(amountCents: number, externalRef: string = randomUUID()): Promise<string> {
    const row = { payeeId: this.payee.id, amountCents, currency: 'USD', externalRef };
    const [pushed] = await this.world.get(PushDisbursements).run(this.client, [row], false);
    return (pushed as { disbursement: Disbursement }).disbursement.id;
  }

  /** The payouts of a withdrawal. */
  async withdraw(): Promise<Payout[]> {
    const released = await this.world.get(ReleaseOwed).withdraw(this.client, this.payee.id, 'withdraw', 'client');
    return released.payouts;
  }

  /** What a withdrawal comes to: amounts, or the code of its refusal. */
  outcome(): Promise<number[] | string> {
    return this.withdraw().then(
      (payouts) => payouts.map(({ amountCents }) => amountCents),
      ({ code }: { code: string }) => code,
    );
  }

  /** A withdrawal that its rail refuses. */
  async refusedWithdrawal(failure?: 'permanent'): Promise<Payout> {
    const [payout] = await this.withdraw();
    if (!payout) throw new Error('Nothing was withdrawn.');
    await this.refuse(payout, failure);
    return this.world.payout(payout.id);
  }

  /** A withdrawal that was sent, whether its rail is called by the request or by a job. */
  async sent(): Promise<Payout> {
    const [payout] = await this.withdraw();
    if (!payout) throw new Error('Nothing was withdrawn.');
    if ((await this.world.status(payout.id)) === 'authorized') await this.world.drive(payout.id);
    return this.world.payout(payout.id);
  }

  /** Its rail refuses it, and says so when it is asked. */
  async sentAndRefused(failure: 'transient' | 'permanent' = 'transient'): Promise<Payout> {
    this.world.rail.answers = () => refused(failure);
    const payout = await this.sent();
    this.world.rail.knows.set(payout.railKey, refused(failure) as LookupFact);
    return payout;
  }

  /** Refused for good, and its no is written down, as before rows leave. */
  async clearedWithdrawal(amountCents: number): Promise<Payout> {
    await this.push(amountCents);
    const payout = await this.sentAndRefused('permanent');
    await this.tells(payout, refused('permanent') as LookupFact);
    return this.world.payout(payout.id);
  }

  async refuse({ id }: Payout, failure?: 'permanent'): Promise<void> {
    this.world.rail.answers = () => refused(failure);
    await this.world.drive(id);
    this.world.rail.answers = null;
  }

  /** From now on the rail says so, and is asked. */
  async tells({ id, railKey }: Payout, fact: LookupFact): Promise<void> {
    this.world.rail.knows.set(railKey, fact);
    await this.world.get(AskRail).lookUp(await this.world.payout(id));
  }

  /** The rail lists it among what it moved, and cannot say more about it now. */
  async isListed({ provider, railKey, amountCents }: Payout, providerRef = 'ref'): Promise<void> {
    const { rail } = this.world;
    rail.knows.set(railKey, { kind: 'unknown', detail: 'no answer' });
    const movedAt = systemClock.now();
    rail.moved = [{ rail: provider ?? '', railKey, providerRef, amountCents, currency: 'USD', movedAt }];
    await compare(this.world);
  }

  async statuses(...ids: string[]): Promise<string[]> {
    const reads = this.world.get(DisbursementReads);
    return Promise.all(ids.map(async (id) => (await reads.find(this.client.id, id))?.status ?? 'gone'));
  }

  async openDrift({ id }: Pick<Payout, 'id'>): Promise<Drift[]> {
    const drift = await this.world.get(DriftReads).list({ open: true }, null, 100);
    return drift.filter(({ payoutId }) => payoutId === id);
  }

  /** As an operator closes the open difference about this payout; returns how many rows were settled. */
  async resolve(payout: Payout, rows: DisputedRows): Promise<number> {
    const [drift] = await this.openDrift(payout);
    if (!drift) throw new Error(`Nothing is open about payout ${payout.id}.`);
    return this.world.db.inTransaction(async () => {
      const resolving = this.world.get(ResolveDrift);
      const { after, payout } = await resolving.run(drift.id, { by: 'ada', note: null });
      const settled = payout ? await this.world.get(SettleDisputed).run(payout, after, rows) : 0;
      await resolving.decidedAbout(drift.id);
      return settled;
    });
  }

  balance(): Promise<{ withdrawableCents: number; landedCents: number } | null> {
    return this.world.db.row('SELECT withdrawable_cents, landed_cents FROM balances WHERE payee_id = $1', [
      this.payee.id,
    ]);
  }
}
