/**
 * The row of turns of a rail (`callsPerSecond`) is one for all processes: two of them are enough for one client's backlog to keep it full. Somebody
 * else finds a place in it all the same, and is not told to come again while hundreds of that client's calls come first.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onBehalf } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import type { Rails } from './rails';

const RAIL = 'swap_rail';
/** As swap_rail has it. */
const CALLS_PER_SECOND = 5;
const A_FULL_ROW = 15;
const PROCESSES = 2;
/** As many as a client has under way in each. */
const AT_ONCE = 10;
const ROUNDS = 3;

describe('a rail that takes five calls a second', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  const aProcess = (): RailPauses =>
    new RailPauses(
      { traits: () => ({ callsPerSecond: CALLS_PER_SECOND }) } as unknown as Rails,
      new RailLanes(scratch.db),
    );

  test('has a place for another client beside one with a backlog at two processes', async () => {
    let theirs = 0;
    let isOver = false;
    const hasTurn = async (process: RailPauses, client: string): Promise<boolean> =>
      (await onBehalf(client, () => process.turn(RAIL, 'submit'))) === null;
    // Whoever of them is sent away makes room for the next one of the backlog at once.
    const backlog = async (process: RailPauses): Promise<void> => {
      while (!isOver) {
        if (await hasTurn(process, 'loud')) theirs += 1;
        await nextTurn();
      }
    };
    const processes = Array.from({ length: PROCESSES }, aProcess);
    const workers = processes.flatMap((process) => Array.from({ length: AT_ONCE }, () => backlog(process)));
    while (theirs < A_FULL_ROW) await nextTurn();
    const before: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const earlier = theirs;
      expect(await hasTurn(processes[0] as RailPauses, 'quiet')).toBe(true);
      before.push(theirs - earlier);
    }
    isOver = true;
    await Promise.all(workers);
    expect(Math.max(...before)).toBeLessThanOrEqual(2 * A_FULL_ROW);
  });
});
