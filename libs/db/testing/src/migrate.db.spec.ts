import { Client } from 'pg';
import { dataSourceOptions, migrate, MIGRATIONS, NewerDatabase } from '#libs/db';
import { scratchDatabase, type ScratchDatabase } from './scratch-database';

describe('migrate', () => {
  let scratch: ScratchDatabase;
  const options = () => dataSourceOptions({ url: scratch.url, poolSize: 2, onPoolError: () => undefined });
  const sql = async (text: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: scratch.url });
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  };

  beforeEach(async () => {
    scratch = await scratchDatabase();
  });
  afterEach(() => scratch.drop());

  test('three processes that start at once apply each migration once', async () => {
    await sql('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const applied = await Promise.all([migrate(options()), migrate(options()), migrate(options())]);
    expect(applied.flat()).toEqual(MIGRATIONS.map(({ name }) => name));
  });

  test('a database of a newer version is refused by name', async () => {
    await sql("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Future9999999999999')");
    await expect(migrate(options())).rejects.toThrow(NewerDatabase);
    await expect(migrate(options())).rejects.toThrow('Future9999999999999');
  });
});
