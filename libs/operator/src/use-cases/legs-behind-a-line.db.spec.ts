/**
 * A payout of owed rows in legs: its bank refused it, its money was pulled back, and it is tried again. The rail's list has what went out the second
 * time before it has what came back of the first: for a moment that is twice the money, and a line says so. The list catches up, and nothing differs any
 * more. An operator who sees that closes the line; or it closes by itself; and the payout's next call is made.
 */
import { movementOf, OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { RemedyPayout } from '#libs/payouts';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { RailLeg, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { operateDriftIn } from './operate-drift.fake';

const goesOn = (providerRef: string, leg: string): SubmitAnswer => ({ kind: 'accepted', providerRef, next: { leg } });

describe('a payout in legs that a line was about', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('comes to its end once an operator looked into that', async () => {
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const says = (answers: Record<string, SubmitAnswer>) => {
      world.rail.answers = (_: RailOrder, leg: RailLeg | null) => answers[leg?.name ?? 'first'] as SubmitAnswer;
    };
    const [{ id }] = (await scene.withdraw()) as [Payout];
    says({ first: goesOn('one', 'payout'), payout: goesOn('one', 'pull_back'), pull_back: refused() });
    for (let n = 0; n < 3; n += 1) await world.drive(id);
    const payout = await world.payout(id);
    expect([payout.status, payout.failureKind]).toEqual(['failed', 'transient']);

    world.rail.knows.set(payout.railKey, refused() as never);
    says({ first: goesOn('two', 'payout'), payout: settled('two') });
    await world.get(RemedyPayout).retry(payout, 'operator');
    await world.drive(id);
    world.rail.knows.set(payout.railKey, goesOn('two', 'payout') as never);
    expect((await world.payout(id)).legs.at(-1)).toMatchObject({ name: 'payout', toSend: true });

    world.rail.moved = [movementOf(payout, 'out', 'one'), movementOf(payout, 'out', 'two')];
    await compare(world);
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 12_000 }]);
    // A moment later it lists all.
    world.rail.moved = [...world.rail.moved, movementOf(payout, 'back', 'one')];
    for (let n = 0; n < 3; n += 1) await compare(world);
    const decision = { note: 'pulled back', rows: 'owed', neverSeen: false } as const;
    for (const { id: line, said } of await scene.openDrift(payout))
      await operateDriftIn(world).resolve('ada', line, { ...decision, said });
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    await world.drive(id);
    expect(await world.status(id)).toBe('paid');
  });
});
