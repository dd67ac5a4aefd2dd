/** A database that was restored to when a payout had not left. Whether it left since is not known before the list of its rail was compared with: its rows would leave again. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { CancelPayout } from '#libs/payouts';
import { isRestored, type MoneyWorld } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that its caller cancels in a database that was restored', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('stays until its rail was compared with', async () => {
    const scene = await OwedScene.of(world, client, 'FR');
    const row = await scene.push(6_000);
    await compare(world);
    const [payout] = (await scene.withdraw()) as [Payout];
    expect(await world.status(payout.id)).toBe('authorized');
    await isRestored(world);
    const cancel = async () => world.get(CancelPayout).run(await world.payout(payout.id));
    await expect(cancel()).rejects.toMatchObject({ code: 'payout_not_cancellable' });
    expect([await world.status(payout.id), await scene.statuses(row)]).toEqual(['authorized', ['released']]);
    await compare(world);
    expect(await cancel()).toMatchObject({ status: 'failed', statusReason: 'cancelled_by_client' });
    expect(await scene.statuses(row)).toEqual(['owed']);
  });
});
