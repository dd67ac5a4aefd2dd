/**
 * What is begun anew after calls that followed its first one makes them under other keys. Its rail said no of it, and then the process stood
 * still, or waited for its row: by the time the send is taken on that no is old, and the rail moved the money since.
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { legsScene, type MoneyWorld, refused, settled, startMoneyWorld, thenDo } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

const TAKES_MS = 20_000;

describe('a payout in legs that is begun anew long after its rail said no of it', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });
  afterEach(() => jest.restoreAllMocks());

  const { says, inLegs, drive, callsOf, knows } = legsScene(() => ({ world, client }));

  test('is not begun before its rail says so once more', async () => {
    const payout = await inLegs();
    says({ payout: refused() });
    const failed = await drive(payout);
    knows(payout, refused());
    await world.get(RemedyPayout).retry(failed, 'client');
    says({ first: thenDo('payout'), payout: settled('again') });

    const lookup = world.rail.lookup.bind(world.rail);
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      if (said.kind !== 'refused') return said;
      // It moves what it had refused, and tells nobody; whoever asked stands still meanwhile.
      knows(payout, settled());
      const clock = world.get(DatabaseClock);
      for (const name of ['now', 'earliest'] as const) {
        const read = clock[name].bind(clock);
        jest.spyOn(clock, name).mockImplementation(() => new Date(read().getTime() + TAKES_MS));
      }
      return said;
    });
    await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first', 'payout']);
  });
});
