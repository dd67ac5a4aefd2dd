/** The clock of the database is set back, as by a failover to a machine whose clock is behind: what was given back stays free. */
import { SingleRunner, VersionGate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { scratchDb, type ScratchDb } from './scratch-database';

describe('schedules after the clock of the database was set back', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test('run, for nobody is at them', async () => {
    const runner = new SingleRunner(scratch.db, new VersionGate());
    expect(await runner.run('reconcile', async () => 'done')).toBe('done');
    // What was written as now() is an hour ahead of the clock from here on
    await scratch.db.execute(`UPDATE runners SET leased_until = leased_until + interval '1 hour'`);
    expect(await runner.run('reconcile', async () => 'again')).toBe('again');
  });
});
