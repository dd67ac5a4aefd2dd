import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
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

  test('a database in which names cannot be compared is refused before anything is in it', async () => {
    const name = `ascii_${randomBytes(6).toString('hex')}`;
    await sql(`CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`);
    const url = Object.assign(new URL(scratch.url), { pathname: `/${name}` }).href;
    const ascii = dataSourceOptions({ url, poolSize: 2, onPoolError: () => undefined });
    await expect(migrate(ascii)).rejects.toThrow('The database is in SQL_ASCII');
    await sql(`DROP DATABASE ${name}`);
  });

  test('a server that takes connections and says nothing is given up', async () => {
    const taken: Socket[] = [];
    const silent = createServer((socket) => taken.push(socket));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const url = `postgres://nobody@127.0.0.1:${port}/nowhere`;
    const nowhere = dataSourceOptions({ url, poolSize: 2, onPoolError: () => undefined });
    await expect(migrate(nowhere, { connectMs: 100 })).rejects.toThrow('timeout');
    for (const socket of taken) socket.destroy();
    silent.close();
  });

  describe('on a database of a newer version', () => {
    const FUTURE = "INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Future9999999999999')";

    test('this code goes on where the newer one says that it may', async () => {
      await sql(FUTURE);
      expect(await migrate(options())).toEqual([]);
    });

    test('it is refused by name where it would not understand what is there', async () => {
      await sql(`${FUTURE}; UPDATE code_floor SET oldest_code = 9999999999999`);
      await expect(migrate(options())).rejects.toThrow(NewerDatabase);
      await expect(migrate(options())).rejects.toThrow('Future9999999999999');
    });

    test('it is refused where the other one knows less as well: neither comes from the other', async () => {
      await sql(`${FUTURE}; DELETE FROM migrations WHERE name = '${MIGRATIONS.at(-1)?.name}'`);
      await expect(migrate(options())).rejects.toThrow('Future9999999999999');
    });
  });
});
