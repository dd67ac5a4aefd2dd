/** A list tells of the time at which it was asked for: read before a standstill it says nothing of what it was too young to show. */
import { systemClock } from '#libs/domain';
import { DriftReads, RailLists } from '#libs/drift';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
import { ScanMovements } from './use-cases/scan-movements';

const RAIL = 'at_once';

describe('a list that was read right after a payout was paid, by a process that then stood still', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const open = async (id: string) =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter(({ payoutId }) => payoutId === id);

  test.each([
    ['', 0],
    ['for ten minutes', 600],
  ])('does not name it as missing there: rails list some minutes later than they tell %s', async (_, seconds) => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'ES' });
    world.rail.answers = () => ({ ...settled(), settledAt: systemClock.now() }) as ReturnType<typeof settled>;
    const { id } = await world.pay(client, payee);
    expect(await world.status(id)).toBe('paid');
    const lists = world.get(RailLists);
    await world.get(ScanMovements).ofRail(RAIL);
    expect(await open(id)).toEqual([]);
    // It was paid five seconds before the window of the comparison was read; and that, and the list, were read so long ago.
    const window = lists.window.bind(lists);
    jest.spyOn(lists, 'window').mockImplementation(async (...asked) => {
      const portion = await window(...asked);
      const ago = (date: Date): Date => new Date(date.getTime() - seconds * 1_000);
      const until = ago(portion.until);
      await world.db.execute(`UPDATE payouts SET updated_at = $2::timestamptz - interval '5 seconds' WHERE id = $1`, [
        ...[id, until],
      ]);
      return { ...portion, paidSince: ago(portion.paidSince), until };
    });
    await world.get(ScanMovements).ofRail(RAIL);
    expect(await open(id)).toEqual([]);
  });
});
