/** Rows that an operator called owed while their money was only taken on: it may have moved since, unless its rail says more. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

/** The rails of the spec keep codes for an hour. */
const PAST_MEMORY = 2 * 3600;

describe('rows whose rail has forgotten them since an operator called them owed', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, client);
  });

  const calledOwed = async (fact: ReturnType<typeof accepted>): Promise<Payout> => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, fact);
    await scene.resolve(payout, 'owed');
    return payout;
  };
  const isForgotten = async ({ id, railKey }: Payout): Promise<void> => {
    await world.age(id, PAST_MEMORY);
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - $2::float8 * interval '1 second' WHERE id = $1`,
      [id, PAST_MEMORY],
    );
    world.rail.knows.delete(railKey);
  };

  test('wait, if it had only taken their money on, until an admin finds out that it never moved it', async () => {
    const payout = await calledOwed(accepted());
    await isForgotten(payout);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    await world.get(GiveUpPayout).run(await world.payout(payout.id), 'the provider says so in writing', true);
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('leave, if that was about money that had moved', async () => {
    await isForgotten(await calledOwed(settled()));
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('leave while it remembers them, and says what the operator knew', async () => {
    await calledOwed(accepted());
    expect(await scene.outcome()).toEqual([6_000]);
  });
});
