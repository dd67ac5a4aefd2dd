/**
 * A rail's list has it that the money of an open line came back, and the process that compares ends before it has closed the line by that. Until the
 * next comparison its rail says, when it is asked, that the money is out again, under its own reference: no list shows that as another movement. The
 * line is no longer closed by the list: what was said last is that it is out, and after a day nobody asks again.
 */
import { systemClock } from '#libs/domain';
import { DriftReads, RailLists } from '#libs/drift';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare, startReconciledWorld } from '../testing/src';
import { ScanMovements } from './use-cases/scan-movements';

/** Ends the comparison once its list is kept. */
function endsAfterKeeping(lists: RailLists): AbortSignal {
  const stopping = new AbortController();
  const keep = lists.keep.bind(lists);
  jest.spyOn(lists, 'keep').mockImplementationOnce(async (...list) => {
    await keep(...list);
    stopping.abort();
  });
  return stopping.signal;
}

describe('a line whose money is out again before the comparison that would close it', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('stays open', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'DE' });
    const { id } = await world.pay(client, payee, 6_000);
    world.rail.answers = () => refused('permanent');
    await world.drive(id);
    world.rail.answers = null;
    const { railKey } = await world.payout(id);
    const tells = async (fact: LookupFact) => {
      world.rail.knows.set(railKey, fact);
      await world.get(AskRail).lookUp(await world.payout(id));
    };
    const open = async () => (await world.get(DriftReads).list({ open: true }, null, 9)).map(({ said }) => said);
    const moved = (direction: 'out' | 'back') => ({
      ...{ rail: 'claim_rail', railKey, direction, amountCents: 6_000, providerRef: 'one', currency: 'USD' },
      movedAt: systemClock.now(),
    });

    await tells(settled('one') as LookupFact);
    expect(await open()).toEqual(['out']);
    world.rail.moved = [moved('out'), moved('back')];
    await world.get(ScanMovements).ofRail('claim_rail', endsAfterKeeping(world.get(RailLists)));
    expect([await open(), await world.db.rows(LISTED_AS_BACK, [railKey])]).toEqual([['out'], [{ listed: 1 }]]);
    // The reversal is cancelled: a notice has us ask, and the rail says so.
    await tells(settled('one') as LookupFact);
    await compare(world);
    expect(await open()).toEqual(['out']);
  });
});

const LISTED_AS_BACK = `SELECT count(*)::int AS listed FROM rail_movements WHERE rail_key = $1 AND direction = 'back'`;
