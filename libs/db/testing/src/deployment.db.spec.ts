/** Under which name a database pays: the first one, and once something was sent no other. */
import { Client } from 'pg';
import { dataSourceOptions, keepDeployment, migrate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { scratchDatabase, type ScratchDatabase } from './scratch-database';

describe('the name under which a database pays', () => {
  let scratch: ScratchDatabase;
  let client: Client;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    client = new Client({ connectionString: scratch.url });
    await client.connect();
    await migrate(options());
  });
  afterAll(async () => {
    await client.end();
    await scratch.drop();
  });
  beforeEach(() => client.query('DELETE FROM deployment'));

  const options = () => dataSourceOptions({ url: scratch.url, poolSize: 2, onPoolError: () => undefined });
  const kept = async (): Promise<unknown> => (await client.query('SELECT name FROM deployment')).rows;
  /** The payouts table in place of the real one, for what was sent is all that counts here. */
  const whereSent = async (work: () => Promise<void>): Promise<void> => {
    await client.query('ALTER TABLE payouts RENAME TO real_payouts');
    await client.query('CREATE TABLE payouts AS SELECT now() AS submitted_at');
    try {
      await work();
    } finally {
      await client.query('DROP TABLE payouts; ALTER TABLE real_payouts RENAME TO payouts');
    }
  };

  test('is the first one that it is started with', async () => {
    await Promise.all([keepDeployment(options(), 'acme'), keepDeployment(options(), 'acme')]);
    expect(await kept()).toEqual([{ name: 'acme' }]);
  });

  test('may be another as long as nothing was sent', async () => {
    await keepDeployment(options(), 'acme');
    await keepDeployment(options(), 'other');
    expect(await kept()).toEqual([{ name: 'other' }]);
  });

  test('stays once something was sent: a process of another name does not start, and says why', async () => {
    await keepDeployment(options(), 'acme');
    await whereSent(async () => {
      await expect(keepDeployment(options(), 'other')).rejects.toThrow("Start with DEPLOYMENT='acme'");
      await keepDeployment(options(), 'acme');
    });
    expect(await kept()).toEqual([{ name: 'acme' }]);
  });

  test('is written down for a database of before, whatever it sent', async () => {
    await whereSent(() => keepDeployment(options(), 'acme'));
    expect(await kept()).toEqual([{ name: 'acme' }]);
  });
});
