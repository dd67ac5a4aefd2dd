/**
 * Rows whose call has no answer, and of which nobody may find out by sending them again: they are held then, so that an operator can put them in
 * order. Nothing is sent meanwhile.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const IN_DOUBT: LookupFact = { kind: 'unknown', detail: 'its answer was lost, and it is sent again by nobody' };

describe('rows in doubt that are kept from being sent', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    scene = await OwedScene.of(world, client);
  });

  const block = (payeeId: string, blocked = true): Promise<unknown> =>
    world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [payeeId, blocked]);

  /** A withdrawal whose only call is over, and was never answered. */
  const inDoubt = async (): Promise<Payout> => {
    world.rail.answers = () => IN_DOUBT as never;
    const [payout] = (await scene.withdraw()) as [Payout];
    if ((await world.status(payout.id)) === 'authorized') await world.drive(payout.id);
    world.rail.answers = () => settled('again');
    world.rail.knows.set(payout.railKey, IN_DOUBT);
    await world.age(payout.id, 60);
    return world.payout(payout.id);
  };
  /** Driven twice, with no call of its rail. */
  const driven = async ({ id }: Payout): Promise<Payout> => {
    const calls = world.rail.calls.length;
    await world.drive(id);
    if ((await world.status(id)) === 'submitted') await world.drive(id);
    expect(world.rail.calls).toHaveLength(calls);
    return world.payout(id);
  };
  const held = (why: string) => ({
    status: 'held',
    statusReason: expect.stringContaining(`route_blocked: ${why}`) as string,
  });

  test('are held while a difference about them is open, and it is closed once they are given up', async () => {
    const first = await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal();
    world.rail.knows.set(earlier.railKey, refused());
    const second = await scene.push(1_000);
    const later = await inDoubt();
    await scene.tells(earlier, settled());
    expect(await driven(later)).toMatchObject(held('a rail says'));
    await world.get(GiveUpPayout).run(await world.payout(later.id), 'its rows are in question');
    expect(await scene.resolve(earlier, 'paid')).toBe(1);
    expect(await scene.statuses(first, second)).toEqual(['paid', 'owed']);
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['their payee is blocked', 'the payee is blocked', () => block(scene.payee.id)],
    [
      'their client is closed',
      'the client is closed',
      () => world.db.execute(`UPDATE clients SET status = 'closed' WHERE id = $1`, [client.id]),
    ],
    [
      'their country is blocked',
      'the country is blocked',
      () => world.db.execute(`UPDATE routes SET blocked = true WHERE country = 'FR'`),
    ],
  ])('are held while %s', async (_, why, keepBack) => {
    await scene.push(6_000);
    const payout = await inDoubt();
    await keepBack();
    try {
      expect(await driven(payout)).toMatchObject(held(why));
      expect(world.rail.movesNothing.at(-1)).toBe('at_rest');
    } finally {
      await world.db.execute(`UPDATE routes SET blocked = false WHERE country = 'FR'`);
    }
  });

  test('wait as they are for a suspended client, and are not sent to find out', async () => {
    await scene.push(6_000);
    const payout = await inDoubt();
    await world.db.execute(`UPDATE clients SET status = 'suspended' WHERE id = $1`, [client.id]);
    expect(await driven(payout)).toMatchObject({ status: 'submitted' });
    expect(world.rail.movesNothing.at(-1)).toBe('at_rest');
  });

  test('are not held while a call may be under way, nor once their rail took them on', async () => {
    await scene.push(6_000);
    const payout = await inDoubt();
    await world.age(payout.id, -60);
    await block(scene.payee.id);
    expect(await driven(payout)).toMatchObject({ status: 'submitted' });
    await world.age(payout.id, 60);
    await world.db.execute('UPDATE payouts SET accepted_attempt = attempt WHERE id = $1', [payout.id]);
    expect(await driven(payout)).toMatchObject({ status: 'submitted' });
  });

  test('are neither held nor sent if what kept them back ended while their rail was asked', async () => {
    await scene.push(6_000);
    const payout = await inDoubt();
    await block(scene.payee.id);
    let answer = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const calls = world.rail.calls.length;
    const driving = world.drive(payout.id);
    await world.rail.lookingUp(payout.railKey);
    await block(scene.payee.id, false);
    answer();
    await driving;
    expect([await world.status(payout.id), world.rail.calls.length]).toEqual(['submitted', calls]);
  });

  test('are paid once their rail tells so, though they were held', async () => {
    const row = await scene.push(6_000);
    const payout = await inDoubt();
    await block(scene.payee.id);
    expect(await driven(payout)).toMatchObject({ status: 'held' });
    world.rail.knows.set(payout.railKey, settled());
    await world.lookOnceMore(payout.id);
    expect([await world.status(payout.id), await scene.statuses(row)]).toEqual(['paid', ['paid']]);
  });
});
