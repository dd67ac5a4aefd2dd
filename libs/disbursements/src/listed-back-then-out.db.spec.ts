/**
 * A look-up said that it is out; the list says since that it came back; an operator who reads both decides by that; and the list has it out once
 * more, as another movement. Nobody decided about that one.
 */
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that a look-up told of, that its list has as come back, and then as out once more', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
  });

  test('is named, if it is of a caller, and failed for good', async () => {
    const { id } = await world.pay(scene.client, scene.payee, 6_000);
    await scene.refuse(await world.payout(id), 'permanent');
    const payout = await world.payout(id);
    await scene.tells(payout, settled('one'));
    world.rail.moved = [movementOf(payout, 'out', 'one')];
    await compare(world);
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
    // It is taken back at the rail: the list says so, and the operator closes the line.
    world.rail.moved.push(movementOf(payout, 'back', 'one'));
    await scene.resolve(payout, 'owed');
    await compare(world);
    world.rail.moved.push(movementOf(payout, 'out', 'two'));
    await compare(world);
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });

  test('is named, if it was returned', async () => {
    await scene.push(6_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('one');
    await world.drive(id);
    world.rail.answers = null;
    await scene.tells(await world.payout(id), CAME_BACK);
    const payout = await world.payout(id);
    world.rail.moved = [movementOf(payout, 'out', 'one'), movementOf(payout, 'back', 'one')];
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
    // Out again: its list says so, and then a look-up.
    world.rail.moved.push(movementOf(payout, 'out', 'second'));
    await compare(world);
    await scene.tells(payout, settled('second'));
    expect(await scene.openDrift(payout)).toMatchObject([{ railCents: 12_000 }]);
    // And back: the notice of that is lost, the list has it.
    world.rail.knows.set(payout.railKey, CAME_BACK);
    world.rail.moved.push(movementOf(payout, 'back', 'second'));
    await compare(world);
    await scene.resolve(payout, 'owed');
    // And out once more: its look-ups are not there yet.
    world.rail.moved.push(movementOf(payout, 'out', 'three'));
    await compare(world);
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });

  test('is named, if its rail called it refused before its list had that it came back, and its rows have left by that', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled('one'));
    world.rail.moved = [movementOf(payout, 'out', 'one')];
    await compare(world);
    // An operator has it reversed at the rail, whose look-ups say so at once: the word is not kept, for the list is late.
    await scene.tells(payout, refused('permanent'));
    await scene.resolve(payout, 'owed');
    const [next] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('another');
    await world.drive(next.id);
    world.rail.answers = null;
    world.rail.moved.push(movementOf(payout, 'back', 'one'), movementOf(next, 'out', 'another'));
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
    // It leaves once more after all: that is a second payment of these rows.
    world.rail.moved.push(movementOf(payout, 'out', 'two'));
    await compare(world);
    await compare(world);
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });
});
