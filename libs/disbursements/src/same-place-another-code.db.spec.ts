/**
 * Rows that go back to a place whose rail refused them there have the code of then, whatever they were sent under meanwhile: should it settle the first
 * order after all, it is the same one.
 */
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import type { MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that go back to where they were refused', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  const upsert = (fields: { email?: string; country?: string }) =>
    world.get(UpsertPayee).run(scene.client, { externalId: scene.payee.externalId, ...fields });
  const refusedNow = async (): Promise<Payout> => {
    const payout = await scene.sentAndRefused();
    expect(payout).toMatchObject({ status: 'failed', failureKind: 'transient' });
    return payout;
  };
  const start = async (country: string) => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }), country, {
      email: 'one@example.com',
    });
    await scene.push(6_000);
    return refusedNow();
  };

  test('by way of two addresses of another rail: the wallet gets one code', async () => {
    const first = await start('IT');
    expect(first.provider).toBe('swap_rail');
    await upsert({ country: 'DE' });
    await refusedNow();
    await upsert({ email: 'two@example.com' });
    expect((await refusedNow()).provider).toBe('claim_rail');
    await upsert({ country: 'IT' });
    const again = await refusedNow();
    expect({ rail: again.provider, code: again.railKey }).toEqual({ rail: 'swap_rail', code: first.railKey });
  });
});
