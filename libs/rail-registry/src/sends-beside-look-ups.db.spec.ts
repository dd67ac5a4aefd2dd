/**
 * Point 8: places are fair by client. What asks about money (second looks, eight earlier codes of a payout at once) waits for a place behind three seconds of the
 * row, and tries again and again with all of them; a send has less patience with each try. Another client's send has a turn all the same before very
 * many of theirs, as `turns-of-clients` says of sends.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { onBehalf } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import type { Rails } from './rails';

const RAIL = 'swap_rail';
/** As swap_rail has it. */
const CALLS_PER_SECOND = 5;
const A_FULL_ROW = 15;
/** Whoever was sent away is told to come again after a second. */
const AGAIN_MS = 1_000;
const ROUNDS = 3;
const LOOK_UPS = [
  {
    of: 'one client with payouts of eight codes at four processes',
    clients: 1,
    processes: 4,
    deeds: [8, 1, 1, 1, 1, 1, 1],
  },
  { of: 'ten clients with two each at two processes', clients: 10, processes: 2, deeds: [1, 1] },
];

describe('a client’s send beside look-ups', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  beforeEach(() => scratch.db.execute('DELETE FROM rail_turns', []));
  afterAll(() => scratch.drop());

  test.each(LOOK_UPS)(
    'of $of has a turn',
    async ({ clients, processes: count, deeds }) => {
      const rails = { traits: () => ({ callsPerSecond: CALLS_PER_SECOND }) } as unknown as Rails;
      const processes = Array.from({ length: count }, () => new RailPauses(rails, new RailLanes(scratch.db)));
      let theirs = 0;
      let isOver = false;
      const looksUp = async (process: RailPauses): Promise<void> => {
        if ((await process.turn(RAIL, 'lookup')) === null) theirs += 1;
        else await pause(AGAIN_MS);
      };
      const lookUps = async (process: RailPauses, client: string, codes: number): Promise<void> => {
        while (!isOver) {
          await onBehalf(client, () => Promise.all(Array.from({ length: codes }, () => looksUp(process))));
          await nextTurn();
        }
      };
      const all = processes.flatMap((process) =>
        Array.from({ length: clients }).flatMap((_, client) =>
          deeds.map((codes) => lookUps(process, `loud ${client}`, codes)),
        ),
      );
      while (theirs < A_FULL_ROW) await nextTurn();
      const before: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const earlier = theirs;
        const isSent = (): Promise<boolean> =>
          onBehalf('quiet', async () => (await processes[0]?.turn(RAIL, 'submit')) === null);
        while (theirs - earlier <= 3 * A_FULL_ROW && !(await isSent())) await pause(AGAIN_MS);
        before.push(theirs - earlier);
      }
      isOver = true;
      await Promise.all(all);
      expect(Math.max(...before)).toBeLessThanOrEqual(2 * A_FULL_ROW);
    },
    90_000,
  );
});
