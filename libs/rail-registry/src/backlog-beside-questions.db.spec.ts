/**
 * Point 8, the other way round of `questions-beside-a-backlog`: one client's questions, which nobody has to wait for, leave another client's payouts
 * their share of the row of turns. Of the turns that are given while both want more than there is, the payouts have no fewer than a third.
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
/** As many as a client has under way in one process. */
const AT_ONCE = 10;
const TURNS = 40;

describe('a client’s payouts beside another client’s questions', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test.each([1, 2])(
    'have their share of the turns at %d processes',
    async (count) => {
      const rails = { traits: () => ({ callsPerSecond: CALLS_PER_SECOND }) } as unknown as Rails;
      const processes = Array.from({ length: count }, () => new RailPauses(rails, new RailLanes(scratch.db)));
      const turns = { payouts: 0, questions: 0 };
      let isOver = false;
      const ask = async (process: RailPauses, kind: keyof typeof turns): Promise<void> => {
        const call = kind === 'payouts' ? 'submit' : 'lookupForCaller';
        while (!isOver) {
          const notYet = await onBehalf(kind, () => process.turn(RAIL, call));
          if (notYet === null) turns[kind] += 1;
          await nextTurn();
        }
      };
      const begin = (kind: keyof typeof turns) =>
        processes.flatMap((process) => Array.from({ length: AT_ONCE }, () => ask(process, kind)));
      const all = [...begin('questions'), ...begin('payouts')];
      while (turns.payouts + turns.questions < TURNS) await nextTurn();
      isOver = true;
      await Promise.all(all);
      expect(turns.payouts).toBeGreaterThanOrEqual((turns.payouts + turns.questions) / 3);
    },
    60_000,
  );
});
