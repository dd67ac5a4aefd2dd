/**
 * A payout is taken on before its rail ever told whose credentials it has, as on the first day while its provider does not answer, and sent with the account
 * that it is bound to then. Whoever binds a wrong one later, and the right one again, has it go on (ADR 68).
 */
import { RailIdentity } from '#libs/rail-registry';
import { accepted, type MoneyWorld, startMoneyWorld } from '../testing/src';

const RAIL = 'claim_rail';

describe('what was taken on before its rail was ever bound', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('is known to be of the first account once that is bound again', async () => {
    const works = (account: string) => ({ kind: 'works', account, mode: 'live' }) as const;
    const client = await world.client();
    const { id } = await world.pay(client, await world.payee(client, { country: 'DE' }));
    // Its provider tells that when the first call is about to be made.
    world.rail.verify = async () => works('right');
    world.rail.answers = () => accepted();
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(1);
    expect((await world.get(RailIdentity).bound(RAIL))?.account).toBe('right');
    await world.get(RailIdentity).rebind(RAIL, works('wrong'));
    expect((await world.payout(id)).sentElsewhere).toBe(true);
    await world.get(RailIdentity).rebind(RAIL, works('right'));
    expect((await world.payout(id)).sentElsewhere).toBe(false);
  });
});
