/** A rail that was configured, and paid over, in the time that a restore lost: its database never heard of it. */
import { DataSource } from 'typeorm';
import { DatabasePlace, dataSourceOptions } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailLanes } from './rail-lanes';
import { Rails, type RegisteredRail } from './rails';
import { UnheardOfRails } from './unheard-of-rails';

const named = (name: string, isConfigured = true): RegisteredRail =>
  ({ definition: { name, settings: [] }, rail: isConfigured ? {} : null }) as unknown as RegisteredRail;

describe('a rail that a restored database never heard of', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());
  beforeEach(async () => {
    for (const table of ['rail_scans', 'rail_accounts', 'restores']) await scratch.db.execute(`DELETE FROM ${table}`);
  });

  let place: DatabasePlace;
  const starts = (...rails: RegisteredRail[]): Promise<void> => {
    place = new DatabasePlace();
    return new UnheardOfRails(scratch.db, place, new Rails(rails, 'it')).onModuleInit();
  };
  const awaited = async (): Promise<string[]> => (await new RailLanes(scratch.db).awaited()).map(({ rail }) => rail);
  const isRestored = (ago: string): Promise<unknown> =>
    scratch.db.execute('INSERT INTO restores (sequence_from, restored_at) VALUES (1000, now() - $1::interval)', [ago]);

  test('is waited for as soon as a service starts that has it, whoever else was compared with', async () => {
    await isRestored('10 minutes');
    await starts(named('late'), named('not_configured', false), named('mock'));
    expect(await awaited()).toEqual(['late']);
  });

  test('is waited for once: it was compared with, and the service starts again before its provider answers', async () => {
    await isRestored('10 minutes');
    await starts(named('late'));
    await scratch.db.execute('UPDATE rail_scans SET restored_at = NULL');
    await starts(named('late'));
    expect(await awaited()).toEqual([]);
  });

  test('is a new one a day later, and in a database that was never restored', async () => {
    await starts(named('new'));
    await isRestored('25 hours');
    await starts(named('new'));
    expect(await awaited()).toEqual([]);
  });

  test('is waited for if the database goes back while a service runs that has it', async () => {
    await starts(named('late'));
    expect(await awaited()).toEqual([]);
    await scratch.db.execute(`UPDATE database_place SET timeline = '7'`);
    const options = dataSourceOptions({ url: scratch.url, poolSize: 1, onPoolError: () => undefined, place });
    await (await new DataSource(options).initialize()).destroy();
    expect(await awaited()).toEqual(['late']);
  });

  test('is not one that the database was bound to', async () => {
    await isRestored('10 minutes');
    await scratch.db.execute(
      `INSERT INTO rail_accounts (rail, account, mode, bound_at) VALUES ('known', 'acct', 'live', now())`,
    );
    await starts(named('known'));
    expect(await awaited()).toEqual([]);
  });
});
