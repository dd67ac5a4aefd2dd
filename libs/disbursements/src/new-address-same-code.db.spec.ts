/**
 * Rows were sent to an address, and refused for now. Their payee has another address since, and withdraws them again. Then the first payment arrives
 * after all, at the old address. Nobody may take that for the payment to the new one: as for another account (ADR 109), what was sent to
 * another address has another code.
 */
import { UpsertPayee } from '#libs/payees';
import { type Payout, WENT_ELSEWHERE } from '#libs/payout-rules';
import { AskRail, CancelPayout, RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows whose payout was refused for now, of a payee who has another address since', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let before: Payout;
  let after: Payout;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }), 'DE', { email: 'old@example.com' });
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [{ id }] = (await scene.withdraw()) as [Payout];
    before = await world.payout(id);
    expect(before).toMatchObject({ status: 'failed', failureKind: 'transient', provider: 'claim_rail' });
    world.rail.knows.set(before.railKey, refused() as LookupFact);
    world.rail.answers = () => accepted('another');
  });

  const move = () =>
    world.get(UpsertPayee).run(scene.client, { externalId: scene.payee.externalId, email: 'new@example.com' });

  async function withdrawAtTheNewOne(): Promise<void> {
    await move();
    const [{ id }] = (await scene.withdraw()) as [Payout];
    after = await world.payout(id);
    expect(after.status).toBe('submitted');
    expect([before.destination?.email, after.destination?.email]).toEqual(['old@example.com', 'new@example.com']);
  }

  test('go to it under a code that was never sent to the old one', async () => {
    await withdrawAtTheNewOne();
    expect(world.rail.calls.at(-1)?.order.payee.email).toBe('new@example.com');
    expect(after.railKey).not.toBe(before.railKey);
  });

  test('are not called paid to the new one by what arrived at the old one', async () => {
    await withdrawAtTheNewOne();
    world.rail.knows.set(after.railKey, accepted('another') as LookupFact);
    world.rail.knows.set(before.railKey, settled('the first') as LookupFact);
    await world.drive(after.id);
    await world.get(AskRail).lookUp(await world.payout(before.id));
    const { status } = await world.payout(after.id);
    const named = [...(await scene.openDrift(before)), ...(await scene.openDrift(after))];
    expect({ status, named: named.length }).toEqual({ status: 'submitted', named: 1 });
  });

  test('are not tried again at the new one under the code of the old one, as an older version had sent them', async () => {
    world.rail.answers = () => refused();
    await move();
    const [{ id }] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    await world.db.execute('UPDATE payouts SET rail_key = $2 WHERE id = $1', [id, before.railKey]);
    world.rail.calls.length = 0;
    // It takes the order for the one to the old address, which it pays after all.
    world.rail.answers = () => settled('at the old address');
    const held = await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    expect([held.status, world.rail.calls]).toEqual(['held', []]);
    expect(held.statusReason).toContain(WENT_ELSEWHERE);
    expect((await world.get(CancelPayout).run(held)).status).toBe('failed');
    const [{ railKey }] = (await scene.withdraw()) as [Payout];
    expect(railKey).not.toBe(before.railKey);
  });
});
