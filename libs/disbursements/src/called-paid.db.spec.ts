/** What an operator called paid is watched as any payout that was paid: its money may come back, and no notice may tell. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare, watchReturns } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const BACK = { kind: 'bounced', feeCents: 100 } as const;

describe('money that came back, and that an operator had called paid', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
    await watchReturns(world, 'custodial_a'); // every look begins with what becomes due from now on
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, client);
  });

  const ofRows = async (): Promise<Payout> => {
    await scene.push(6_000);
    return scene.refusedWithdrawal('permanent');
  };
  const ofItsOwn = async (): Promise<Payout> => {
    const payout = await world.pay(client, scene.payee, 6_000, randomUUID());
    world.rail.answers = () => refused('permanent');
    await world.drive(payout.id);
    return world.payout(payout.id);
  };
  const calledPaid = async (made: () => Promise<Payout>): Promise<Payout> => {
    const payout = await made();
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'paid');
    return payout;
  };
  const passes = async ({ id }: Payout, seconds: number): Promise<void> => {
    await world.db.execute(
      `UPDATE drift SET resolved_at = resolved_at - $2::float8 * interval '1 second' WHERE payout_id = $1`,
      [id, seconds],
    );
    await world.db.execute(
      `UPDATE rail_watches SET last_id = NULL, watched_until = watched_until - $1::float8 * interval '1 second'`,
      [seconds],
    );
  };
  const MADE = [
    ['a payout of rows', ofRows],
    ['a payout of its own', ofItsOwn],
  ] as const;

  test.each(MADE)('(%s) is found days after, by asking', async (_, made) => {
    const payout = await calledPaid(made);
    world.rail.knows.set(payout.railKey, BACK);
    await passes(payout, 3 * 86_400 + 60);
    await watchReturns(world, 'custodial_a');
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', liftingFeeCents: 100 }]);
    await scene.resolve(payout, 'owed');
    world.rail.asked.length = 0;
    await watchReturns(world, 'custodial_a');
    expect(world.rail.asked).toEqual([]);
  });

  test.each(MADE)('(%s) is found where its rail lists it, and can be decided about', async (_, made) => {
    const payout = await calledPaid(made);
    const moved = { railKey: payout.railKey, currency: 'USD', movedAt: systemClock.now() };
    world.rail.moved = [
      { ...moved, providerRef: 'ref', amountCents: 6_000 },
      { ...moved, providerRef: 'back', amountCents: 5_900, direction: 'back' },
    ];
    world.rail.knows.set(payout.railKey, settled());
    await compare(world);
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '6 minutes'`);
    await compare(world);
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', liftingFeeCents: 100 }]);
    await scene.resolve(payout, 'owed');
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
    if (payout.consolidates) expect(await scene.balance()).toEqual({ withdrawableCents: 6_000, landedCents: 0 });
  });
});
