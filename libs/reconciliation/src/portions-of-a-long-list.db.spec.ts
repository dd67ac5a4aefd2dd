/**
 * A comparison does not become slower with the square of what is listed: its portions are compared each for itself, and what may be late is looked at
 * once (1, 8). And what its rail was asked about is named before all others are asked about.
 */
import { randomUUID } from 'node:crypto';
import { happening } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import { RailLists } from '#libs/drift';
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

  test('looks once at what may be late', async () => {
    world.rail.moved = Array.from({ length: MANY }, () => moved(randomUUID(), 100));
    const lists = world.get(RailLists);
    const [all, portions] = [jest.spyOn(lists, 'compare'), jest.spyOn(lists, 'compareThese')];
    expect(await world.get(ScanMovements).ofRail(RAIL)).toMatchObject({ compared: MANY, found: MANY });
    expect(all).toHaveBeenCalledTimes(1);
    expect(portions.mock.calls.map(([, railKeys]) => railKeys.length)).toEqual([500, 500, 500, 500, 100]);
  }, 60_000);

  test('names what its rail answered about while it asks about others', async () => {
    const client = await world.client();
    world.rail.answers = () => refused();
    const payouts: Payout[] = [];
    for (let n = 0; n < SOME; n += 1) {
      const { id } = await world.pay(client, await world.payee(client));
      await world.drive(id);
      payouts.push(await world.payout(id));
    }
    const rail = payouts[0]?.provider ?? '';
    for (const { railKey } of payouts) world.rail.knows.set(railKey, refused());
    world.rail.moved = payouts.map(({ railKey, amountCents }) => moved(railKey, amountCents, rail));

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
    const comparing = world.get(ScanMovements).ofRail(rail);
    await isAsked.promise;
    expect(await named()).toHaveLength(SOME - 1);
    mayAnswer.happens();
    await comparing;
    expect(new Set(await named())).toEqual(new Set(payouts.map(({ railKey }) => railKey)));
  }, 60_000);
});
