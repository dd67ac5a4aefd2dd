/**
 * A restored database holds what its rail moved before, and an operator says that it arrived. Its client pays from a wallet: that money left
 * it, and it must not be there to be paid out once more.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { ChangePayout, GiveUpPayout } from '#libs/payouts';
import type { MoneyWorld } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { availableCents, WalletBook, WalletReads } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money of a prepaid client that moved before, and was never sent as far as is known here', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client({ prepaid: true });
    const deposit = {
      type: 'deposit',
      currency: 'USD',
      amountCents: 10_000,
      reference: randomUUID(),
      note: null,
    } as const;
    await world.get(WalletBook).post({ clientId: client.id, ...deposit });
  });

  const available = async (): Promise<number[]> => (await world.get(WalletReads).of(client.id)).map(availableCents);

  const isListed = async ({ provider, railKey }: Payout): Promise<void> => {
    const moved = { rail: provider ?? '', railKey, providerRef: 'before', amountCents: 6_000, currency: 'USD' };
    world.rail.moved = [{ ...moved, movedAt: systemClock.now() }];
  };
  /** As in a backup from before it. */
  const isForgotten = async ({ id }: Payout): Promise<void> => {
    await world.get(ChangePayout).giveUp([id], 'known to another database only');
    await world.db.execute(
      `UPDATE payouts SET rail_key = 'other-' || id, idempotency_key = 'other-' || id WHERE id = $1`,
      [id],
    );
    await compare(world);
    expect(await available()).toEqual([10_000]);
  };

  test('is taken from its wallet once an operator calls its rows paid', async () => {
    const scene = await OwedScene.of(world, client);
    const row = await scene.push(6_000);
    const [before] = (await scene.withdraw()) as [Payout];
    await isListed(before);
    await isForgotten(before);
    await world.db.execute(
      `UPDATE disbursements SET transaction_id = NULL, earlier = '{}', status = 'owed' WHERE id = $1`,
      [row],
    );
    const [held] = (await scene.withdraw()) as [Payout];
    expect(held).toMatchObject({ railKey: before.railKey, status: 'held', submittedAt: null });
    await world.get(GiveUpPayout).run(held, 'it arrived');
    expect(await scene.resolve(held, 'paid')).toBe(1);
    expect(await scene.statuses(row)).toEqual(['paid']);
    expect(await available()).toEqual([4_000]);
  });

  test("is taken from it once an operator calls a payout of the caller's own paid", async () => {
    const scene = await OwedScene.of(world, client);
    const key = randomUUID();
    const before = await world.pay(client, scene.payee, 6_000, key);
    await isListed(before);
    await isForgotten(before);
    const held = await world.pay(client, scene.payee, 6_000, key);
    expect(held).toMatchObject({ railKey: before.railKey, status: 'held', submittedAt: null });
    await world.get(GiveUpPayout).run(held, 'it arrived');
    await scene.resolve(held, 'paid');
    expect(await world.payout(held.id)).toMatchObject({
      statusReason: expect.stringMatching(/^paid_after_all/) as string,
    });
    expect(await available()).toEqual([4_000]);
  });
});
