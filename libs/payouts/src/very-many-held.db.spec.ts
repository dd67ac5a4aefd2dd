/**
 * What clients let go on by itself is looked for with one statement for all clients, which has 30 seconds. However many payouts one client has
 * held for a cause that no row shows, it must not read them all, twice sorted, each half minute: of two millions it would never answer, and
 * nobody's payouts would go on.
 */
import { mostRowsOf } from '#libs/db/testing';
import { copiesOf, HeldReads, type MoneyWorld, startMoneyWorld } from '../testing/src';

const MANY = 60_000;
/** As many payees are looked at, with as many payouts of each. */
const [PAYEES, OF_EACH] = [500, 250];
/** For each payee that is answered, with room to choose among them. */
const READ_AT_MOST = 40 * OF_EACH;

describe('payouts that one client lets go on by themselves, and has very many of', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('are not all read to find those whose turn it is', async () => {
    const client = await world.client({ autoRelease: ['no_rail'] });
    const first = await world.pay(client, await world.payee(client, { country: 'AQ' }), 100);
    expect(first).toMatchObject({ status: 'held', statusReason: expect.stringContaining('no_rail') });
    await copiesOf(world, first, MANY, { created_at: 'created_at' });
    await world.db.execute('ANALYZE payouts');
    const asked = jest.spyOn(world.db, 'rows');
    expect(await world.get(HeldReads).maybeCleared(new Map(), PAYEES, OF_EACH)).toHaveLength(1);
    const [sql, values] = asked.mock.calls.at(-1) ?? ['', []];
    expect(await mostRowsOf(world.db, sql, values as unknown[])).toBeLessThan(READ_AT_MOST);
  }, 120_000);
});
