/**
 * A comparison does not become slower with the square of what is listed: its portions are compared each for itself, and what may be late is looked at
 * once (1, 8). It ends between two of them. And what its rail was asked about is named before all others are asked about.
 */
import { randomUUID } from 'node:crypto';
import { happening } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import { DriftBook, RailLists } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import type { RailMovement } from '#libs/rail-kit';
import { startReconciledWorld } from '../testing/src';
import { ScanMovements } from './use-cases/scan-movements';

const RAIL = 'at_once';
/** Some portions. */
const MANY = 2_100;
/** More than are asked about at once. */
const SOME = 9;

describe('a comparison with a long list', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  beforeEach(() => world.rail.reset());
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const moved = (railKey: string, amountCents: number, rail = RAIL): RailMovement & { rail: string } => ({
    ...{ rail, railKey, providerRef: railKey, amountCents, currency: 'USD', movedAt: systemClock.now() },
  });
  const named = async (): Promise<string[]> =>
    (await world.db.rows<{ railKey: string }>('SELECT rail_key FROM drift WHERE payout_id IS NOT NULL')).map(
      ({ railKey }) => railKey,
    );

  test('looks once at what may be late, and never at all of it in one statement', async () => {
    world.rail.moved = Array.from({ length: MANY }, () => moved(randomUUID(), 100));
    const lists = world.get(RailLists);
    const [all, portions] = [jest.spyOn(lists, 'compare'), jest.spyOn(lists, 'compareThese')];
    expect(await world.get(ScanMovements).ofRail(RAIL)).toMatchObject({ compared: MANY, found: MANY });
    expect(all).toHaveBeenCalledTimes(1);
    expect(portions.mock.calls.map(([, railKeys]) => railKeys.length)).toEqual([500, 500, 500, 500, 100, 2_000, 100]);
  }, 60_000);

  test('ends between two portions', async () => {
    world.rail.moved = Array.from({ length: MANY }, () => moved(randomUUID(), 100));
    const lists = world.get(RailLists);
    const stopping = new AbortController();
    const keep = lists.keep.bind(lists);
    const keeping = jest.spyOn(lists, 'keep').mockImplementation(async (...list) => {
      await keep(...list);
      stopping.abort();
    });
    expect(await world.get(ScanMovements).ofRail(RAIL, stopping.signal)).toMatchObject({ compared: 0 });
    expect(keeping).toHaveBeenCalledTimes(1);
  }, 60_000);

  /** Refused for now, and listed as moved. */
  const failed = async (count: number): Promise<Payout[]> => {
    const client = await world.client();
    world.rail.answers = () => refused();
    const payouts: Payout[] = [];
    for (let n = 0; n < count; n += 1) {
      const { id } = await world.pay(client, await world.payee(client));
      await world.drive(id);
      payouts.push(await world.payout(id));
    }
    for (const { railKey } of payouts) world.rail.knows.set(railKey, refused());
    world.rail.moved = payouts.map(({ railKey, amountCents, provider }) => moved(railKey, amountCents, provider ?? ''));
    return payouts;
  };
  const compare = (payouts: Payout[]) => world.get(ScanMovements).ofRail(payouts[0]?.provider ?? '');

  test('asks about all, though one of them cannot be named', async () => {
    const payouts = await failed(SOME);
    const slow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    const book = world.get(DriftBook);
    const record = book.record.bind(book);
    let isSlow = true;
    jest.spyOn(book, 'record').mockImplementation(async (found) => {
      if (found.length === 0 || !isSlow) return record(found);
      isSlow = false;
      throw slow;
    });
    await expect(compare(payouts)).rejects.toBe(slow);
    expect(world.rail.asked).toHaveLength(SOME);
    await compare(payouts);
    expect(await named()).toEqual(expect.arrayContaining(payouts.map(({ railKey }) => railKey)));
  }, 60_000);

  test('names all that its rail cannot tell of, though it is asked about some of them only', async () => {
    const payouts = await failed(SOME);
    for (const { railKey } of payouts) world.rail.knows.set(railKey, { kind: 'unknown', detail: 'no answer' });
    await compare(payouts);
    expect(world.rail.asked.length).toBeLessThan(SOME);
    expect(await named()).toEqual(expect.arrayContaining(payouts.map(({ railKey }) => railKey)));
  }, 60_000);

  test('names what its rail answered about while it asks about others', async () => {
    const before = (await named()).length;
    const payouts = await failed(SOME);
    const [isAsked, mayAnswer] = [happening(), happening()];
    const lookup = world.rail.lookup.bind(world.rail);
    let asked = 0;
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      asked += 1;
      if (asked === SOME) {
        isAsked.happens();
        await mayAnswer.promise;
      }
      return lookup(order, call);
    });
    const comparing = compare(payouts);
    await isAsked.promise;
    expect(await named()).toHaveLength(before + SOME - 1);
    mayAnswer.happens();
    await comparing;
    expect(await named()).toEqual(expect.arrayContaining(payouts.map(({ railKey }) => railKey)));
  }, 60_000);
});
