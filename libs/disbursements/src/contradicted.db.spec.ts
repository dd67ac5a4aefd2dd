/** A provider shows money that went out, beside what says that nothing came of it: somebody is told, and nothing leaves meanwhile. */
import type { Client } from '#libs/clients';
import type { LookupFact } from '#libs/rail-kit';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { RemedyPayout } from '#libs/payouts';
import { OwedScene, startOwedWorld } from '../testing/src';

const BOTH: LookupFact = { kind: 'unknown', contradicts: true, detail: 'denied, and paid' };

describe('a payout of which its rail contradicts itself', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, client);
    await scene.push(6_000);
  });
  afterAll(() => world.stop());

  test.each(['transient', 'permanent'] as const)('is named if it failed (%s), and its rows stay', async (failure) => {
    const payout = await scene.sentAndRefused(failure);
    await scene.tells(payout, BOTH);
    const line = { kind: 'not_paid_here', railCents: 6_000, ourStatus: 'failed' };
    expect(await scene.openDrift(payout)).toMatchObject([line]);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    await scene.tells(payout, refused(failure) as LookupFact);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('is not tried again', async () => {
    const payout = await scene.sentAndRefused();
    const sent = world.rail.calls.length;
    world.rail.knows.set(payout.railKey, BOTH);
    const retried = world.get(RemedyPayout).retry(await world.payout(payout.id), 'client');
    await expect(retried).rejects.toMatchObject({ message: expect.stringContaining('has this payout after all') });
    expect([world.rail.calls.length, (await scene.openDrift(payout)).length]).toEqual([sent, 1]);
  });

  test('is named if it came back', async () => {
    world.rail.answers = () => accepted('one');
    const payout = await scene.sent();
    await scene.tells(payout, settled('one'));
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    await scene.tells(payout, BOTH);
    expect(await scene.openDrift(payout)).toMatchObject([{ ourStatus: 'returned' }]);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('is not named while it is under way, nor once it is paid: its money counts as out', async () => {
    world.rail.answers = () => accepted('one');
    const payout = await scene.sent();
    await scene.tells(payout, BOTH);
    expect([await world.status(payout.id), await scene.openDrift(payout)]).toEqual(['submitted', []]);
    await scene.tells(payout, settled('one'));
    await scene.tells(payout, BOTH);
    expect([await world.status(payout.id), await scene.openDrift(payout)]).toEqual(['paid', []]);
  });
});
