/**
 * Two questions about one payout wait for their turns at a rail that takes five calls a second. A row has other places for those of jobs than for those of
 * callers, so the one that was asked for first may be put last. Whichever is put last hears what is youngest, and has the later date (1, 2; ADR 54).
 */
import { onBehalf } from '#libs/db';
import type { RailTraits } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { AskRail } from './use-cases/ask-rail';
import { accepted, type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('two questions about one payout', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('are dated in the order in which they are put', async () => {
    const client = await world.client();
    world.rail.answers = () => accepted();
    const sent = async () => {
      const { id } = await world.pay(client, await world.payee(client, { country: 'IT' }));
      await world.drive(id);
      return world.payout(id);
    };
    const payout = await sent();
    const others = [];
    for (let n = 0; n < 8; n += 1) others.push(await sent());
    const rails = world.get(Rails);
    const traits = rails.traits.bind(rails);
    jest.spyOn(rails, 'traits').mockImplementation((rail) => ({ ...(traits(rail) as RailTraits), callsPerSecond: 5 }));
    let put = 0;
    world.rail.knows.get = (key: string) => ({
      kind: 'unknown',
      detail: key === payout.railKey ? String((put += 1)) : '',
    });
    const ask = (one: typeof payout, byCaller = false) =>
      onBehalf(client.id, () => world.get(AskRail).ask(one, { patient: !byCaller, byCaller }));
    const backlog = others.map((one) => ask(one));
    const first = ask(payout); // a job's
    const second = ask(payout, true); // its caller's
    const said = await Promise.all([first, second]);
    await Promise.all(backlog);
    const inOrderOfDates = [...said].sort((one, other) => +one.askedAt - +other.askedAt);
    const whenPut = inOrderOfDates.map((fact) => 'detail' in fact && fact.detail);
    expect(whenPut).toEqual(['1', '2']);
  });
});
