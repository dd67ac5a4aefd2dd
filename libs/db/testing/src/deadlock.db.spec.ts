import { setLogLevel } from '#libs/telemetry';
import { scratchDb, type ScratchDb } from './scratch-database';

describe('two transactions that wait for each other', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE places (name text PRIMARY KEY, visits int NOT NULL)');
    await scratch.db.execute(`INSERT INTO places VALUES ('a', 0), ('b', 0)`);
  });
  afterAll(() => scratch.drop());

  test('one gives way and is done again, so that both are done once', async () => {
    let arrived = 0;
    let bothAreThere: () => void;
    const meeting = new Promise<void>((resolve) => (bothAreThere = resolve));
    const visit = (first: string, second: string) =>
      scratch.db.inTransaction(async () => {
        await scratch.db.execute('UPDATE places SET visits = visits + 1 WHERE name = $1', [first]);
        arrived += 1;
        if (arrived === 2) bothAreThere();
        await meeting;
        await scratch.db.execute('UPDATE places SET visits = visits + 1 WHERE name = $1', [second]);
      });
    await Promise.all([visit('a', 'b'), visit('b', 'a')]);
    expect(await scratch.db.rows('SELECT visits FROM places')).toEqual([{ visits: 2 }, { visits: 2 }]);
    // Whoever gave way may come too early, and give way once more.
    expect(arrived).toBeGreaterThanOrEqual(3);
  });

  test('a statement by itself gives way and is done again too', async () => {
    await scratch.db.execute('UPDATE places SET visits = 0');
    const visit = `
      WITH mine AS MATERIALIZED (SELECT name FROM places ORDER BY name FOR UPDATE)
      UPDATE places SET visits = visits + 1 FROM mine WHERE mine.name = places.name`;
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    let alone: Promise<number> | undefined;
    await scratch.db.inTransaction(async () => {
      await scratch.db.execute(`UPDATE places SET visits = visits + 1 WHERE name = 'b'`);
      const isFirst = !alone;
      alone ??= scratch.db.outsideTransaction(() => scratch.db.execute(visit));
      while (isFirst && (await scratch.db.rows(waiting)).length === 0)
        await new Promise((resolve) => setImmediate(resolve));
      await scratch.db.execute(`UPDATE places SET visits = visits + 1 WHERE name = 'a'`);
    });
    expect(await alone).toBe(2);
    expect(await scratch.db.rows('SELECT visits FROM places')).toEqual([{ visits: 2 }, { visits: 2 }]);
  });

  test.each(['40P01', '40001'])(
    'who gives way again and again for %s was kept from it by others: it may be asked for once more',
    async (code) => {
      let runs = 0;
      const work = scratch.db.inTransaction(async () => {
        runs += 1;
        await scratch.db.execute(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`);
      });
      await expect(work).rejects.toMatchObject({ kind: 'timeout', isHeld: true });
      expect(runs).toBe(3);
      expect(scratch.db.recentTrouble.latest()).toBeNull();
    },
  );

  test('what else goes wrong is not done again', async () => {
    let runs = 0;
    const work = scratch.db.inTransaction(async () => {
      runs += 1;
      await scratch.db.execute('SELECT 1 / 0');
    });
    await expect(work).rejects.toThrow('division by zero');
    expect(runs).toBe(1);
  });
});
