/** An operator says that rows are owed, whose rail says that it paid them: not while that rail cannot be asked. */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { OperateDrift } from './operate-drift';
import { operateDriftIn } from './operate-drift.fake';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('a difference about owed rows', () => {
  let world: MoneyWorld;
  let operate: OperateDrift;
  let scene: OwedScene;
  let payout: Payout;
  let driftId: string;
  beforeAll(async () => {
    world = await startOwedWorld();
    operate = operateDriftIn(world);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    driftId = (await scene.openDrift(payout))[0]?.id ?? '';
  });

  const resolve = (rows: 'owed' | 'paid', neverSeen = false) =>
    operate.resolve('ada', driftId, { note: null, rows, neverSeen });
  const lines = () =>
    world.db.rows<{ action: string; after: object }>(
      'SELECT action, after FROM audit_log WHERE target = $1 ORDER BY created_at, id',
      [driftId],
    );

  test('stays open while the rail has no answer, and reads as refused', async () => {
    world.rail.knows.set(payout.railKey, NO_ANSWER);
    await expect(resolve('owed')).rejects.toMatchObject({
      code: 'illegal_transition',
      message: expect.stringContaining('neverSeen') as string,
    });
    expect(await scene.openDrift(payout)).toHaveLength(1);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await lines()).toMatchObject([
      { action: 'drift.resolve_asked' },
      { action: 'drift.resolve_refused', after: { error: 'illegal_transition' } },
    ]);
  });

  test.each([settled(), refused('permanent')])('is closed once it answers, whatever that is', async (fact) => {
    world.rail.knows.set(payout.railKey, fact as ReturnType<typeof settled>);
    // What it says for the first time they are to read first.
    if (fact.kind === 'refused')
      await expect(resolve('owed')).rejects.toMatchObject({
        code: 'illegal_transition',
        message: expect.stringContaining('it moved nothing') as string,
      });
    await resolve('owed');
    expect((await lines()).at(-1)).toMatchObject({ action: 'drift.resolved' });
    // What was decided then says nothing of what the rail does since, as long as it cannot be asked.
    world.rail.knows.set(payout.railKey, NO_ANSWER);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    world.rail.knows.set(payout.railKey, settled());
    expect(await scene.outcome()).toEqual(fact.kind === 'refused' ? 'nothing_to_withdraw' : [6_000]);
  });

  test('is closed without it once an admin found out elsewhere, and the rows leave', async () => {
    world.rail.knows.set(payout.railKey, NO_ANSWER);
    await resolve('owed', true);
    expect(await scene.outcome()).toEqual([6_000]);
    expect(await lines()).toMatchObject([{ action: 'drift.resolved', after: { neverSeen: true } }]);
  });

  test('is closed without it if the rows count as paid', async () => {
    world.rail.knows.set(payout.railKey, NO_ANSWER);
    await resolve('paid');
    expect(await scene.openDrift(payout)).toEqual([]);
  });

  test('that was called paid and came back waits for the rail too', async () => {
    await resolve('paid');
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    driftId = (await scene.openDrift(payout))[0]?.id ?? '';
    world.rail.knows.set(payout.railKey, NO_ANSWER);
    await expect(resolve('owed')).rejects.toMatchObject({ code: 'illegal_transition' });
    await resolve('owed', true);
    expect(await scene.outcome()).toEqual([6_000]);
  });
});
