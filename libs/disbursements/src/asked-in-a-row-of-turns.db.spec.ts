/**
 * A rail that takes five calls a second (swap_rail) was short of funds while a payee was credited again and again: their rows were on eight payouts,
 * each of which it refused. Now it has funds. Before they leave it is asked about all eight, side by side: that they are one client's, who has few
 * places in its row of turns, must not count as if it could not tell, or they would be asked about in vain each time, and never leave.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RailTraits } from '#libs/rail-kit';
import { RailLanes, Rails } from '#libs/rail-registry';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const RAIL = 'swap_rail';
const CALLS_PER_SECOND = 5;
/** As many questions of one client as are put at once. */
const AT_ONCE = 8;
const TRIES = 4;

describe('a payout of rows that were on other payouts before', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  /** What the last payout of rows that were refused so often became with each try to send it; nothing more once it was sent. */
  const triedAfter = async (refusals: number, beside: () => Promise<unknown>): Promise<string[]> => {
    const scene = await OwedScene.of(world, await world.client(), 'IT');
    for (let n = 0; n < refusals; n += 1) {
      await scene.push(6_000);
      const { railKey } = await scene.refusedWithdrawal();
      world.rail.knows.set(railKey, refused());
    }
    await scene.push(6_000);
    const [payout] = await scene.withdraw();
    if (!payout) throw new Error('Nothing was withdrawn.');
    expect(payout.status).toBe('authorized');
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted();
    const traits = world.get(Rails).traits.bind(world.get(Rails));
    jest
      .spyOn(world.get(Rails), 'traits')
      .mockImplementation((rail) => ({ ...(traits(rail) as RailTraits), callsPerSecond: CALLS_PER_SECOND }));
    await beside();
    const became: string[] = [];
    for (let n = 0; n < TRIES && world.rail.calls.length === 0; n += 1) {
      await world.work('payout.drive', payout.id);
      became.push(await world.status(payout.id));
    }
    world.rail.answers = null;
    return became;
  };

  test('leaves, though their rail takes few calls a second', async () => {
    expect((await triedAfter(AT_ONCE, async () => undefined)).at(-1)).toBe('submitted');
  }, 60_000);

  test('leaves beside a few other clients, each of which has one call at a time', async () => {
    const CLIENTS = 8;
    let isOver = false;
    const another = async (): Promise<void> => {
      while (!isOver) await pause((await world.get(RailLanes).turn(RAIL, CALLS_PER_SECOND)) ?? 0);
    };
    const others: Promise<void>[] = [];
    const became = await triedAfter(2, async () => {
      for (let n = 0; n < CLIENTS; n += 1) others.push(another());
    });
    isOver = true;
    await Promise.all(others);
    expect(became.at(-1)).toBe('submitted');
  }, 60_000);
});
