/** What rails say they moved is held against what we know, and nothing keeps a difference from being named. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DriftReads, RailLists } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import type { Rail } from '#libs/rail-kit';
import { type RegisteredRail, Rails } from '#libs/rail-registry';
import { log, metrics } from '#libs/telemetry';
import { compare, startReconciledWorld } from '../testing/src';
import { ResolveDrift } from './use-cases/resolve-drift';
import { ScanMovements } from './use-cases/scan-movements';

describe('comparing with rails', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const sent = async (country: string, answer = accepted()): Promise<Payout> => {
    const payee = await world.payee(client, { country });
    if (country === 'FR') await world.adopt(client, payee);
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, payee);
    if (country !== 'ES') await world.drive(id); // there the request sends it
    return world.payout(id);
  };
  const moved = ({ railKey, amountCents }: Payout, providerRef = 'ref') => ({
    ...{ railKey, amountCents, providerRef, currency: 'USD', movedAt: systemClock.now() },
  });
  const open = async ({ id }: Payout) =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter(({ payoutId }) => payoutId === id);

  test('names what ended for good while a rail answers no question', async () => {
    const ended = await sent('DE', refused('permanent'));
    const forNow = await sent('FR', refused());
    world.rail.moved = [moved(ended), moved(forNow)];
    let answer: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const comparing = compare(world);
    while ((await open(ended)).length === 0) await new Promise((resolve) => setImmediate(resolve));
    answer();
    await comparing;
    expect(await open(forNow)).toHaveLength(1);
  });

  test('leaves what is under way to its jobs, and tells them', async () => {
    const underWay = await sent('DE');
    world.rail.moved = [moved(underWay)];
    await compare(world);
    expect(world.rail.asked).toEqual([]);
    expect(
      await world.db.rows(`SELECT FROM jobs WHERE name = 'payout.look' AND entity_id = $1 AND run_at <= now()`, [
        underWay.id,
      ]),
    ).toHaveLength(1);
  });

  test('finds money that moved twice under one code, and takes a line listed twice for one', async () => {
    const paid = await sent('ES', settled('one'));
    expect(paid.status).toBe('paid');
    world.rail.moved = [moved(paid, 'one'), moved(paid, 'one')];
    await compare(world);
    expect(await open(paid)).toEqual([]);
    world.rail.moved = [moved(paid, 'one'), moved(paid, 'two')];
    await compare(world);
    expect(await open(paid)).toMatchObject([{ kind: 'amount_differs', railCents: 2_000, ourCents: 1_000 }]);
  });

  test('that list nothing is for a person: after a restore that is said until they did it, and nothing else of them', async () => {
    const registered = world.get(Rails).find('swap_rail') as RegisteredRail;
    const { rail } = registered;
    registered.rail = Object.create(rail, { movements: { value: undefined } }) as Rail;
    const said = jest.spyOn(log, 'warn').mockImplementation(() => undefined);
    const aged = jest.spyOn(metrics.railScanAge, 'set');
    const told = async (): Promise<unknown[]> => {
      said.mockClear();
      await world.get(ScanMovements).watch();
      return said.mock.calls.map(([line]) => line).filter((line) => (line as { rail?: string }).rail === 'swap_rail');
    };
    await world.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until, restored_at) VALUES ('swap_rail', now() - interval '1 day', now())
       ON CONFLICT (rail) DO UPDATE SET scanned_until = excluded.scanned_until, restored_at = excluded.restored_at`,
    );
    await compare(world);
    expect(await told()).toEqual([{ event: 'movements.unlisted', rail: 'swap_rail' }]);
    await world.get(RailLists).comparedByHand('swap_rail');
    expect(await told()).toEqual([]);
    expect(aged).not.toHaveBeenCalledWith({ rail: 'swap_rail' }, expect.anything());
    expect(aged).toHaveBeenCalledWith({ rail: 'claim_rail' }, expect.anything());
    jest.restoreAllMocks();
    registered.rail = rail;
  });

  describe('that list years', () => {
    const DAY = 24 * 3_600_000;
    const ago = (days: number): Date => new Date(systemClock.now().getTime() - days * DAY);
    const scannedUntil = async (): Promise<Date | undefined> =>
      (await world.db.row<{ scannedUntil: Date }>(`SELECT scanned_until FROM rail_scans WHERE rail = 'claim_rail'`))
        ?.scannedUntil;
    /** The first payout of its rail, which was never compared with. */
    const firstSent = async (days: number): Promise<Payout> => {
      await world.db.execute('DELETE FROM rail_scans');
      const ended = await sent('DE', refused('permanent'));
      await world.db.execute('UPDATE payouts SET submitted_at = $2 WHERE id = $1', [ended.id, ago(days)]);
      world.rail.moved = [{ ...moved(ended), movedAt: ago(days - 1) }];
      return ended;
    };

    test('begins with the first payout, and asks for a month at most at once', async () => {
      const ended = await firstSent(100);
      await compare(world);
      expect(await open(ended)).toHaveLength(1);
      const since = world.rail.listed.map((asked) => asked.since.getTime());
      expect(Math.min(...since)).toBeGreaterThan(ago(101).getTime());
      expect(since.filter((time) => time < ago(1).getTime()).length).toBeGreaterThanOrEqual(4);
      for (const asked of world.rail.listed)
        expect((asked.until ?? systemClock.now()).getTime() - asked.since.getTime()).toBeLessThanOrEqual(30 * DAY);
      expect((await scannedUntil())?.getTime()).toBeGreaterThan(ago(1).getTime());
    });

    test('keeps what it has compared when the rail gives up in the middle, and says how long ago that is', async () => {
      const ended = await firstSent(100);
      const movements = world.rail.movements.bind(world.rail);
      jest.spyOn(world.rail, 'movements').mockImplementation(async (since, until) => {
        if (since > ago(50) && since < ago(1)) throw new Error('gives up');
        return movements(since, until);
      });
      await compare(world);
      expect(await open(ended)).toHaveLength(1);
      const first = await scannedUntil();
      expect(first?.getTime()).toBeLessThan(ago(30).getTime());
      const said = jest.spyOn(log, 'warn').mockImplementation(() => undefined);
      await world.get(ScanMovements).watch();
      expect(said.mock.calls).toContainEqual([
        expect.objectContaining({ event: 'movements.late', rail: 'claim_rail' }),
        expect.any(String),
      ]);
      jest.restoreAllMocks();
      await compare(world);
      expect((await scannedUntil())?.getTime()).toBeGreaterThan(ago(1).getTime());
    });
  });

  test('is not all: whoever refused is asked some times more, and what it moved is named', async () => {
    const ended = await sent('DE', refused('permanent'));
    const next = async () =>
      world.db.row<{ seconds: number }>(
        `SELECT extract(epoch FROM run_at - now())::float8 AS seconds FROM jobs
         WHERE name = 'payout.second_look' AND entity_id = $1`,
        [ended.id],
      );
    expect((await next())?.seconds).toBeLessThan(60);
    world.rail.knows.set(ended.railKey, refused());
    expect(await world.lookOnceMore(ended.id)).toEqual({ againInSeconds: expect.any(Number) as number });
    world.rail.knows.set(ended.railKey, settled());
    await world.lookOnceMore(ended.id);
    expect(await open(ended)).toHaveLength(1);
    await timePasses(world, ended.id, 2 * 86_400);
    expect(await world.lookOnceMore(ended.id)).toBeUndefined();
  });

  test('does not take half of what moved twice for all of it, and tells of what moved after that was looked into', async () => {
    const paid = await sent('ES', settled('one'));
    world.rail.moved = [moved(paid, 'one'), moved(paid, 'two')];
    await compare(world);
    world.rail.moved = [moved(paid, 'two')];
    await compare(world);
    const [drift] = await open(paid);
    expect(drift).toMatchObject({ kind: 'amount_differs', railCents: 2_000 });
    await world.get(ResolveDrift).run(drift?.id ?? '', { by: 'ada', note: null });
    world.rail.moved = [moved(paid, 'one'), moved(paid, 'two')];
    await compare(world);
    expect(await open(paid)).toEqual([]);
    world.rail.moved.push(moved(paid, 'three'));
    await compare(world);
    expect(await open(paid)).toMatchObject([{ kind: 'amount_differs', railCents: 3_000 }]);
  });

  test('what a rail lists late is missed only once it should have been listed', async () => {
    const traits = world.get(Rails).traits('swap_rail');
    Object.assign(traits ?? {}, { listsWithinSeconds: 7_200 });
    try {
      const payout = await sent('IT', settled());
      expect(payout.status).toBe('paid');
      const paidHoursAgo = (hours: number): Promise<number> =>
        world.db.execute(
          `UPDATE payouts SET updated_at = now() - $2::int * interval '1 hour', submitted_at = now() - interval '4 hours'
           WHERE id = $1`,
          [payout.id, hours],
        );
      await compare(world);
      await paidHoursAgo(1);
      await compare(world);
      expect(await open(payout)).toEqual([]);
      await paidHoursAgo(3);
      await compare(world);
      expect(await open(payout)).toMatchObject([{ kind: 'not_moved_there' }]);
      world.rail.moved = [{ ...moved(payout), movedAt: new Date(systemClock.now().getTime() - 3 * 3_600_000) }];
      await compare(world);
      expect(await open(payout)).toEqual([]);
    } finally {
      Object.assign(traits ?? {}, { listsWithinSeconds: undefined });
    }
  });
});
