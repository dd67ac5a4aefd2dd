/** What an operator decided covers what was known then: the payout as it stood, and what its rail had said of it. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { LinkRecovery } from './use-cases/link-recovery';

describe('what an operator decided', () => {
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

  test('about a direct payout frees no rows that were linked to it since: its rail is asked about them', async () => {
    const row = await scene.push(6_000);
    const first = await scene.refusedWithdrawal('permanent');
    world.rail.knows.set(first.railKey, refused('permanent'));
    world.rail.answers = () => accepted();
    const direct = await world.pay(client, scene.payee, 6_000);
    await world.drive(direct.id);
    await scene.isListed({ ...direct, amountCents: 5_900 });
    await scene.resolve(direct, 'owed');
    world.rail.moved = [];
    await world.get(LinkRecovery).run(client, { replacementTransactionId: direct.id, disbursementIds: [row] });
    await scene.tells(direct, refused());
    expect(await scene.statuses(row)).toEqual(['owed']);
    world.rail.knows.set(direct.railKey, settled());
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.statuses(row)).toEqual(['paid']);
  });

  test.each(['one', 'two'])('about what was taken on hides no settlement, under reference %s', async (reference) => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, accepted('one'));
    await scene.resolve(payout, 'owed'); // it was taken on, and thrown away
    await scene.tells(payout, accepted('one'));
    expect(await scene.openDrift(payout)).toEqual([]);
    await scene.tells(payout, settled(reference));
    expect(await scene.openDrift(payout)).toMatchObject([{ providerRef: reference, hasMoved: true }]);
  });

  test('about a payout that was under way is no word about one that failed', async () => {
    await scene.push(6_000);
    world.rail.answers = () => accepted();
    const [payout] = (await scene.withdraw()) as [Payout];
    await world.drive(payout.id);
    const listed = { ...payout, amountCents: 5_900 };
    await scene.isListed(listed);
    // As an operator may who waits for nothing: the money is on its way.
    const [drift] = await scene.openDrift(payout);
    await world.db.execute(`UPDATE drift SET resolved_at = now(), resolved_by = 'ada' WHERE id = $1`, [drift?.id]);
    await scene.tells(payout, refused('permanent'));
    await scene.isListed(listed);
    expect(await scene.openDrift(payout)).toHaveLength(1);
    world.rail.knows.set(payout.railKey, refused('permanent'));
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('that rows are owed gives up a payout that waits to be sent once more', async () => {
    const row = await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    await world.drive(payout.id);
    await world.age(payout.id, 60);
    world.rail.knows.set(payout.railKey, { kind: 'never_seen' });
    const block = (blocked: boolean): Promise<number> =>
      world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [scene.payee.id, blocked]);
    await block(true);
    await world.drive(payout.id);
    await block(false);
    await world.get(RemedyPayout).release(await world.payout(payout.id), 'client');
    expect(await world.status(payout.id)).toBe('authorized');
    await scene.isListed(payout);
    await scene.resolve(payout, 'owed'); // the provider calls the money back
    expect(await world.payout(payout.id)).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    expect(await scene.statuses(row)).toEqual(['owed']);
  });

  test('more than was asked stays named, however little more, also when a later list leaves it out', async () => {
    world.rail.answers = () => settled('one');
    const payout = await world.pay(client, scene.payee, 6_000);
    await world.drive(payout.id);
    const moved = { railKey: payout.railKey, currency: 'USD', movedAt: systemClock.now() };
    const [one, two] = [
      { ...moved, providerRef: 'one', amountCents: 6_000 },
      { ...moved, providerRef: 'two', amountCents: 10 },
    ];
    for (const listed of [[one, two], [one]]) {
      world.rail.moved = listed;
      await compare(world);
    }
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 6_010 }]);
    // What the rail takes back is another matter.
    world.rail.moved = [one, { ...two, amountCents: 0 }];
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
  });
});
