/**
 * What is started over after calls that followed its first one is asked about first, and a look-up may take up to twenty seconds. An answer
 * that is as old as that by then begins nothing: it is asked again, and its job says why it waits.
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { withNote } from '#libs/jobs';
import { legsScene, type MoneyWorld, refused, settled, startMoneyWorld, thenDo } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

const LOOK_UP_TAKES_MS = 11_000;

describe('a payout in legs that is tried again on a rail whose look-ups take eleven seconds', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  const { says, inLegs, drive, callsOf, knows } = legsScene(() => ({ world, client }));

  test('waits, and says for what, until they are faster', async () => {
    const payout = await inLegs();
    says({ payout: refused() });
    const failed = await drive(payout);
    expect(failed).toMatchObject({ status: 'failed', failureKind: 'transient' });
    knows(payout, refused());
    await world.get(RemedyPayout).retry(failed, 'client');
    says({ first: thenDo('payout'), payout: settled('again') });

    const clock = world.get(DatabaseClock);
    let passed = 0;
    for (const name of ['now', 'earliest', 'nextDate'] as const) {
      const read = clock[name].bind(clock);
      jest.spyOn(clock, name).mockImplementation(() => new Date(read().getTime() + passed));
    }
    const lookup = world.rail.lookup.bind(world.rail);
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      passed += LOOK_UP_TAKES_MS;
      return said;
    });
    const { note } = await withNote(() => drive(payout, 2));
    expect(note).toContain('its rail takes so long');
    expect(callsOf(payout)).toEqual(['first', 'payout']);
    jest.restoreAllMocks();
    const { note: none } = await withNote(() => drive(payout, 3));
    expect(none).toBeNull();
    expect(callsOf(payout)).toEqual(['first', 'payout', 'first', 'payout']);
    expect(await world.status(payout.id)).toBe('paid');
  });
});
