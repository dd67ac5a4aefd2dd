/**
 * A migration that only adds runs beside processes that go on: whatever it builds on a large table, for as long as that takes, payouts are made
 * meanwhile. (An index that is not built concurrently keeps every write of its table until it is there: of ten million payouts, 25 GB, longer
 * than the ten seconds for which anybody waits.)
 */
import { DataSource, type MigrationInterface } from 'typeorm';
import { MIGRATIONS } from '#libs/db';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('the migration that makes an index on payouts beside older code', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('keeps nobody from paying until it is over', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'DE' });
    await world.pay(client, payee);
    await world.db.execute('DROP INDEX payouts_by_address');
    const Latest = MIGRATIONS.find(({ name }) => name === 'MoneyByAddress1763600000074');
    if (!Latest) throw new Error('There is no such migration.');
    const migration: MigrationInterface & { transaction?: boolean } = new Latest();
    const runner = world.module.get(DataSource, { strict: false }).createQueryRunner();
    const isInOne = migration.transaction !== false;
    if (isInOne) await runner.startTransaction();
    try {
      await migration.up(runner);
      // Whoever waited for the migration would wait for longer than anybody does.
      expect((await world.pay(client, payee)).status).toBe('authorized');
    } finally {
      if (isInOne) await runner.rollbackTransaction();
      await runner.release();
    }
  }, 60_000);
});
