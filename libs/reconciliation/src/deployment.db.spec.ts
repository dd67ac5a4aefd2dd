/** Under which name a database pays: the first one, and once there is a payout no other. */
import { Client } from 'pg';
import { CODE_VERSION, dataSourceOptions, migrate, sessionNameOf } from '#libs/db';
import { scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { newId } from '#libs/domain';
import { railKeyOf } from '#libs/payout-rules';
import { setLogLevel } from '#libs/telemetry';
import { keepDeployment } from './deployment';

const CLIENT = newId();

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
  const startsAs = (name: string): Promise<void> => keepDeployment(options(), name);
  const kept = async (): Promise<unknown> => (await client.query('SELECT name FROM deployment')).rows;
  /** What is asked about payouts is all that this table has, and it stands in place of the real one. */
  const wherePaid = async (railKey: string, work: () => Promise<void>): Promise<void> => {
    await client.query('ALTER TABLE payouts RENAME TO real_payouts');
    await client.query(
      `CREATE TABLE payouts AS SELECT '${newId()}'::uuid AS id, '${CLIENT}'::uuid AS client_id, 'monday' AS idempotency_key,
         'payout' AS source, '${railKey}' AS rail_key, now() AS created_at`,
    );
    try {
      await work();
    } finally {
      await client.query('DROP TABLE payouts; ALTER TABLE real_payouts RENAME TO payouts');
    }
  };
  const OF_ACME = railKeyOf('acme', CLIENT, 'monday');

  test('is the first one that it is started with', async () => {
    await Promise.all([startsAs('acme'), startsAs('acme')]);
    expect(await kept()).toEqual([{ name: 'acme' }]);
  });

  test('may be another as long as there is no payout', async () => {
    await startsAs('acme');
    await startsAs('other');
    expect(await kept()).toEqual([{ name: 'other' }]);
  });

  test('stays while another process is connected, which pays under it', async () => {
    await startsAs('acme');
    const running = new Client({ connectionString: scratch.url, application_name: sessionNameOf(CODE_VERSION) });
    await running.connect();
    await expect(startsAs('other')).rejects.toThrow("Start with DEPLOYMENT='acme'");
    await running.end();
  });

  test('stays once there is a payout: a process of another name does not start, and says why', async () => {
    await startsAs('acme');
    await wherePaid(OF_ACME, async () => {
      await expect(startsAs('other')).rejects.toThrow("Start with DEPLOYMENT='acme'");
      await startsAs('acme');
    });
    expect(await kept()).toEqual([{ name: 'acme' }]);
  });

  test('of a database of before is the one that its payouts were made under, and no other', async () => {
    await wherePaid(OF_ACME, async () => {
      await expect(startsAs('gateway')).rejects.toThrow('Start with the DEPLOYMENT of before');
      expect(await kept()).toEqual([]);
      await startsAs('acme');
    });
    expect(await kept()).toEqual([{ name: 'acme' }]);
  });
});
