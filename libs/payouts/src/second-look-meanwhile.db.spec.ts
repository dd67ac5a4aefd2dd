/**
 * A second look found nothing new, and its process stands still for a moment before it puts its job back (for less than its lease). Meanwhile
 * another process tries the payout again, and it is refused once more: that refusal is looked at again soon, too.
 */
import type { Client } from '#libs/clients';
import { RemedyPayout } from './use-cases/remedy-payout';
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';

const PUTS_BACK = 'last_error = $6';

describe('a refusal that comes between a second look and the end of its job', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  /** The worker stands still right before it writes how its job went. */
  const meanwhile = (deed: () => Promise<void>): void => {
    const execute = world.db.execute.bind(world.db);
    const spy = jest.spyOn(world.db, 'execute').mockImplementation(async (sql, values) => {
      if (sql.includes(PUTS_BACK)) {
        spy.mockRestore();
        await deed();
      }
      return execute(sql, values);
    });
  };

  test.each([
    ['after an hour', 3_601],
    ['after ten minutes', 601],
  ])('is looked at within the minute: %s', async (_, seconds) => {
    world.rail.answers = () => refused();
    const { id, railKey } = await world.pay(client, await world.payee(client));
    await world.drive(id);
    world.rail.knows.set(railKey, refused());
    expect(await world.status(id)).toBe('failed');
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - $2::float8 * interval '1 second' WHERE id = $1`,
      [id, seconds],
    );
    meanwhile(async () => {
      await world.get(RemedyPayout).retry(await world.payout(id), 'operator');
      if ((await world.status(id)) !== 'failed') await world.drive(id);
    });
    await world.work('payout.second_look', id);
    const after = await world.payout(id);
    expect([after.status, after.attempt]).toEqual(['failed', 2]);
    const row = await world.db.row<{ seconds: number }>(
      `SELECT extract(epoch FROM run_at - now())::float8 AS seconds FROM jobs WHERE name = 'payout.second_look' AND entity_id = $1`,
      [id],
    );
    expect(row?.seconds ?? Infinity).toBeLessThan(60);
  });
});
