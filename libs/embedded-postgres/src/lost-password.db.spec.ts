/** A power cut soon after the database was made may leave an empty file in place of its password. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { accountFor, ENVIRONMENT, pathInside } from './account';
import { clusterDirectory } from './cluster';
import { nativeDirectory } from './native-files';
import { startEmbeddedPostgres } from './start-embedded-postgres';

describe('a password of the database that was lost', () => {
  jest.setTimeout(60_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'lost-password-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it.each(['', '\0'.repeat(49), 'ab12'])('is told, with what to do: %j', async (left) => {
    const first = await startEmbeddedPostgres({ dataDir, fast: true });
    const { password } = new URL(first.url);
    await first.stop();
    const file = join(dataDir, 'postgres/gateway.password');
    writeFileSync(file, left);
    await expect(startEmbeddedPostgres({ dataDir, fast: true })).rejects.toThrow(
      /gateway\.password in .* is empty or cut off.*ALTER ROLE gateway PASSWORD/s,
    );
    writeFileSync(file, `${password}\n`);
    await (await startEmbeddedPostgres({ dataDir, fast: true })).stop();
  });

  it('is set anew by the command that it is told with', async () => {
    await (await startEmbeddedPostgres({ dataDir, fast: true })).stop();
    const directory = clusterDirectory(dataDir);
    const account = accountFor(directory);
    const password = 'ab12'.repeat(12);
    writeFileSync(join(directory, 'gateway.password'), password);
    const given = spawnSync(
      join(nativeDirectory(account), 'bin/postgres'),
      ['--single', '-D', pathInside(account, directory), 'postgres'],
      { ...account, cwd: directory, env: ENVIRONMENT, input: `ALTER ROLE gateway PASSWORD '${password}'\n` },
    );
    expect(given.status).toBe(0);
    const postgres = await startEmbeddedPostgres({ dataDir, fast: true });
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    expect((await client.query('SELECT current_user AS name')).rows).toEqual([{ name: 'gateway' }]);
    await client.end();
    await postgres.stop();
  });
});
