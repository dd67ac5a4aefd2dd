/**
 * A comparison with a rail is nobody's in particular: it asks for its list page by page, each page takes a turn (custodial_a, twenty a second), and one that has
 * none gives the whole list up until the next minute. Clients that send and look up payouts keep it from no page, as long as
 * they take turns; before calls of clients waited for places here, each page had one.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { onBehalf } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import type { Rails } from './rails';

const RAIL = 'custodial_a';
const CALLS_PER_SECOND = 20;
const A_FULL_ROW = 60;
const PROCESSES = 4;
const CLIENTS = 10;
/** Of each client in each process. */
const AT_ONCE = 3;
const AGAIN_MS = 1_000;
const A_CALL_MS = 300;
const PAGES = 12;

describe('the pages of a comparison beside look-ups of ten clients', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test('have their turns', async () => {
    const rails = { traits: () => ({ callsPerSecond: CALLS_PER_SECOND }) } as unknown as Rails;
    const processes = Array.from({ length: PROCESSES }, () => new RailPauses(rails, new RailLanes(scratch.db)));
    let theirs = 0;
    let isOver = false;
    const lookUps = async (process: RailPauses, client: string, call: string): Promise<void> => {
      while (!isOver) {
        const hasTurn = (await onBehalf(client, () => process.turn(RAIL, call))) === null;
        if (hasTurn) theirs += 1;
        await pause(hasTurn ? A_CALL_MS : AGAIN_MS);
      }
    };
    const all = processes.flatMap((process) =>
      Array.from({ length: CLIENTS * AT_ONCE }, (_, nth) =>
        lookUps(process, `client ${nth % CLIENTS}`, nth < CLIENTS ? 'submit' : 'lookup'),
      ),
    );
    while (theirs < 2 * A_FULL_ROW) await nextTurn();
    const pages: boolean[] = [];
    while (pages.length < PAGES) {
      pages.push((await processes[0]?.turn(RAIL, 'movements')) === null);
      await pause(A_CALL_MS); // as long as a page takes
    }
    isOver = true;
    await Promise.all(all);
    expect(pages).toEqual(pages.map(() => true));
  }, 60_000);
});
