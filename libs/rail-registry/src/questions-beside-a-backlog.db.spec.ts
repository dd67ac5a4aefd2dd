/**
 * Point 8: places are fair by client. One client's backlog at two processes kept the row of turns of a rail that takes five calls a second at two
 * seconds, while questions wait for one and a half: another client's question for its caller (before a withdrawal, a retry, an address on
 * its pages) finds a place all the same before very many of the backlog's calls were made.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onBehalf } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import type { Rails } from './rails';

const RAIL = 'swap_rail';
const CALLS_PER_SECOND = 5;
/** As many as a client has under way in one process. */
const AT_ONCE = 10;
const PROCESSES = 2;
const A_FULL_ROW = 15;

describe('a question of a caller beside another client’s backlog', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test.each(['lookupForCaller', 'checkDestination', 'readAccount'])('%s has a turn', async (question) => {
    const rails = { traits: () => ({ callsPerSecond: CALLS_PER_SECOND }) } as unknown as Rails;
    const processes = Array.from({ length: PROCESSES }, () => new RailPauses(rails, new RailLanes(scratch.db)));
    let theirs = 0;
    let isOver = false;
    const hasTurn = async (process: RailPauses, call: string, client: string): Promise<boolean> =>
      (await onBehalf(client, () => process.turn(RAIL, call))) === null;
    const backlog = async (process: RailPauses): Promise<void> => {
      while (!isOver) {
        if (await hasTurn(process, 'submit', 'loud')) theirs += 1;
        await nextTurn();
      }
    };
    const workers = processes.flatMap((process) => Array.from({ length: AT_ONCE }, () => backlog(process)));
    while (theirs < AT_ONCE) await nextTurn();
    const before = theirs;
    let isAsked = false;
    while (!isAsked && theirs - before < 2 * A_FULL_ROW) {
      isAsked = await hasTurn(processes[0] as RailPauses, question, 'quiet');
      await nextTurn();
    }
    isOver = true;
    await Promise.all(workers);
    expect(isAsked).toBe(true);
  });
});
