/**
 * A withdrawal asks about an earlier payout; an operator decides about that one meanwhile, and gives it up by that. What the rail then tells is
 * older than the decision, and only a reason to ask again: rows do not leave by it, for it may be money that the operator did not know of.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows of a payout that an operator decides about while its rail is asked', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('stay while the rail says that it has money of theirs that nobody decided about', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    const row = await scene.push(6_000);
    // What leaves as a claim is sent by the request.
    world.rail.answers = () => refused();
    const [payout] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(payout.id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    world.rail.calls.length = 0;
    await scene.isListed(payout, 'one');
    expect(await scene.openDrift(payout)).toHaveLength(1);
    // It is taken on once more, under another reference.
    world.rail.knows.set(payout.railKey, accepted('two'));
    let open: () => void = () => undefined;
    world.rail.asked.length = 0;
    world.rail.lookupGate = new Promise((resolve) => (open = resolve));
    const outcome = scene.outcome();
    await world.rail.lookingUp(payout.railKey);
    await scene.resolve(payout, 'owed');
    world.rail.answers = () => settled('again');
    open();
    await outcome;
    expect(world.rail.calls.map(({ order }) => order.amountCents)).toEqual([]);
    expect(await scene.statuses(row)).not.toEqual(['paid']);
  });

  test('stay if their rail had only taken the money on, and has forgotten it', async () => {
    const scene = await OwedScene.of(world, client);
    const row = await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, accepted('one'));
    expect(await scene.openDrift(payout)).toMatchObject([{ hasMoved: false }]);
    await world.age(payout.id, 2 * 3_600);
    world.rail.knows.delete(payout.railKey);
    let open: () => void = () => undefined;
    world.rail.asked.length = 0;
    world.rail.lookupGate = new Promise((resolve) => (open = resolve));
    const outcome = scene.outcome();
    await world.rail.lookingUp(payout.railKey);
    const { sequence } = await world.payout(payout.id);
    await scene.resolve(payout, 'owed');
    // That it was decided about leaves no trace in the payout itself.
    expect(await world.payout(payout.id)).toMatchObject({ sequence });
    open();
    expect(await outcome).toBe('nothing_to_withdraw');
    expect(await scene.statuses(row)).toEqual(['owed']);
  });
});
