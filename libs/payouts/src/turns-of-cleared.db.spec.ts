/** What clients let go on by itself is looked at in turn: one of them, with many that stay held, keeps no other's waiting. */
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ReleaseCleared } from './use-cases/release-cleared';

const AT_A_TIME = 500;

describe('payouts whose cause may be gone', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('of one payee go on with the next look, however many payees of another client stay held', async () => {
    const large = await world.client({ autoRelease: ['no_rail'] });
    for (let count = 0; count < AT_A_TIME; count += 1) {
      const unserved = await world.payee(large, { country: 'JP' });
      await world.pay(large, unserved);
    }
    expect(await world.db.rows(`SELECT FROM payouts WHERE status_reason = 'no_rail'`)).toHaveLength(AT_A_TIME);
    const small = await world.client({ autoRelease: ['missing_name'] });
    const payee = await world.payee(small);
    await world.db.execute('UPDATE payees SET name = NULL WHERE id = $1', [payee.id]);
    const { id } = await world.pay(small, payee);
    expect(await world.payout(id)).toMatchObject({ status: 'held', statusReason: 'missing_name' });
    await world.db.execute(`UPDATE payees SET name = 'Grace Hopper' WHERE id = $1`, [payee.id]);
    await world.get(ReleaseCleared).run();
    expect(await world.status(id)).toBe('authorized');
  }, 120_000);
});
