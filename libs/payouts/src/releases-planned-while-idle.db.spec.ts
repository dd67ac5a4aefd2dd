/**
 * What a release reads does not depend on when its connection planned it (ADR 52 has it for jobs): while hardly anything is held, a plan reads all that
 * is held for this cause, of all clients, for each payout that goes on. `payouts` is kept for ever, and autovacuum looks at it after a tenth of it
 * has changed: what one prepaid client has held for its empty wallet is far less.
 */
import { randomUUID } from 'node:crypto';
import { rowsRead } from '#libs/db/testing';
import { copiesOf, type MoneyWorld, ReleaseHeld, startMoneyWorld } from '../testing/src';

const KEPT = 60_000;
/** Too few for autovacuum: a tenth would be. */
const HELD = 5_000;

describe('one payout that waited for funds, released by a connection that did so while hardly anything was held', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  const toTheWallet = (id: string): Promise<unknown> =>
    world.db.execute(
      `UPDATE payouts SET status = 'held', status_reason = 'insufficient_funds', short_of = 'wallet', submitted_at = NULL WHERE id = $1`,
      [id],
    );

  test('does not go through what another client has held', async () => {
    const [loud, quiet] = [await world.client({}), await world.client({})];
    const [theirs, ours] = [await world.payee(loud, {}), await world.payee(quiet, {})];
    const first = await world.pay(loud, theirs, 100);
    const one = await world.pay(quiet, ours, 100);
    await toTheWallet(one.id);
    await copiesOf(world, first, KEPT, { status: `'paid'`, created_at: `created_at - nth * interval '1 minute'` });
    await world.db.execute('VACUUM ANALYZE payouts'); // as autovacuum leaves it on any evening
    const releases = world.get(ReleaseHeld);
    for (let nth = 0; nth < 12; nth += 1) await releases.funded(ours.id, randomUUID());
    await copiesOf(world, first, HELD, {
      ...{ status: `'held'`, status_reason: `'insufficient_funds'`, short_of: `'wallet'`, submitted_at: 'NULL' },
      created_at: `created_at - nth * interval '1 minute'`,
    });
    const before = await rowsRead(world.db, 'payouts');
    expect(await releases.funded(ours.id, one.id)).toBe('on');
    expect((await rowsRead(world.db, 'payouts')) - before).toBeLessThan(HELD / 10);
  });
});
