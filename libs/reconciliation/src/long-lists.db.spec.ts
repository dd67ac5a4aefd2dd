/**
 * A list reaches back to when the oldest payout of those was submitted that were paid, or came back, since the last comparison: one that its
 * bank sends back after five days makes it as long as five days are. However long it is, it has to be compared: a comparison that fails
 * begins where it began before, and its list only becomes longer. Meanwhile no owed rows leave over this rail, and after a day nothing does.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import { RailLists } from '#libs/drift';
import type { MoneyWorld } from '#libs/payouts/testing';
import type { Rail, RailMovement } from '#libs/rail-kit';
import { RailCaller, Rails, type RegisteredRail } from '#libs/rail-registry';
import { startReconciledWorld } from '../testing/src';
import { ScanMovements } from './use-cases/scan-movements';

const RAIL = 'at_once';
/** More than a call of a function takes as its arguments: those of five days with 26,000 payments each. */
const VERY_MANY = 130_000;
/** More than one statement takes. */
const MANY = 5_000;

describe('a list of very many movements', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const lines = (count: number, more: Partial<RailMovement> = {}): RailMovement[] =>
    Array.from({ length: count }, () => ({
      ...{ railKey: randomUUID(), providerRef: randomUUID() },
      ...{ amountCents: 100, currency: 'USD', movedAt: systemClock.now(), ...more },
    }));
  /** From now on the rail lists them so. */
  const lists = (name: string, movements: () => unknown): void => {
    const entry = world.get(Rails).find(name) as RegisteredRail;
    entry.rail = Object.create(entry.rail as object, { movements: { value: movements } }) as Rail;
  };
  const scanned = (): Promise<{ at: string } | null> =>
    world.db.row('SELECT scanned_until::text AS at FROM rail_scans WHERE rail = $1', [RAIL]);

  test('is read, whether it is one page or many', async () => {
    const many = lines(VERY_MANY);
    lists('custodial_a', async () => many);
    const stopping = new AbortController();
    jest.spyOn(world.get(RailLists), 'known').mockImplementationOnce(async () => {
      stopping.abort(); // read to the end, and not compared
      return new Set();
    });
    expect(await world.get(ScanMovements).ofRail('custodial_a', stopping.signal)).toMatchObject({ compared: 0 });
    expect(stopping.signal.aborted).toBe(true);
  }, 60_000);

  test('is kept, compared and named, with what is of one code together', async () => {
    const all = lines(MANY);
    const [twice] = all as [RailMovement];
    all.push({ ...twice, amountCents: 40 }, { ...twice, currency: 'EUR', providerRef: randomUUID() });
    lists(RAIL, async function* pages() {
      yield all.slice(0, 100);
      yield all.slice(100);
    });
    await world.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until) VALUES ($1, now() - interval '20 minutes')
       ON CONFLICT (rail) DO UPDATE SET scanned_until = excluded.scanned_until`,
      [RAIL],
    );
    const before = await scanned();
    expect(await world.get(ScanMovements).ofRail(RAIL)).toMatchObject({ compared: all.length });
    expect(await scanned()).not.toEqual(before);
    const named = await world.db.rows<{ cents: number }>(
      `SELECT rail_cents AS cents FROM drift WHERE rail = $1 AND kind = 'unknown_here' ORDER BY rail_cents DESC`,
      [RAIL],
    );
    expect(named).toHaveLength(MANY);
    expect(named[0]?.cents).toBe(140);
  }, 60_000);

  test('lets others have their turn while it is read', async () => {
    const many = lines(MANY);
    lists('claim_rail', async () => many);
    let turns = 0;
    let isRead = false;
    const takesTurns = (): void => {
      turns += 1;
      if (!isRead) setImmediate(takesTurns);
    };
    const reading = world.get(RailCaller).movements('claim_rail', new Date(0));
    // From when the first line is read: before, the database is asked.
    const { railKey } = many[0] as RailMovement;
    Object.defineProperty(many[0], 'railKey', {
      enumerable: true,
      get: () => {
        if (turns === 0) takesTurns();
        return railKey;
      },
    });
    const read = await reading;
    isRead = true;
    expect(read).toHaveLength(MANY);
    expect(turns).toBeGreaterThan(4);
  });
});
