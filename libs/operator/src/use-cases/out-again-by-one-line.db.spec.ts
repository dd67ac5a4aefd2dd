/**
 * One line is open about a returned payout: it was out again, and came back. An operator closes it without the word that they read. By then its rail
 * has it out again, which nobody heard: it is asked first, and its rows do not leave beside that.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('a line that says otherwise than when it was read', () => {
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

  test('lets no rows leave by a word about what it said before', async () => {
    const operate = operateDriftIn(world);
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('one');
    await world.drive(payout.id);
    world.rail.answers = null;
    for (const fact of [CAME_BACK, settled('two') as LookupFact, CAME_BACK]) await scene.tells(payout, fact);
    const [read, ...others] = await scene.openDrift(payout);
    expect([read?.said, others]).toEqual(['back', []]);
    world.rail.knows.set(payout.railKey, settled('two') as LookupFact);
    await expect(
      operate.resolve('ada', (read as { id: string }).id, { note: null, rows: 'owed', neverSeen: false }),
    ).rejects.toThrow('now says that this money is out');
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });
});
