/** A database of one's own on a machine that has programs of its version, and those of a newer one beside them, as Debian's client packages put there. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newClient } from '../harness/api';
import { query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { runScript } from '../harness/npm-script';
import { OwnPostgres, ownPrograms } from '../harness/own-postgres';

/** Since this one dumps, and what pg_restore writes of older dumps, set a time-out that older servers do not know. */
const NEWER = 17;
const TIMEOUT = 'SET transaction_timeout = 0;';

const found = ownPrograms();
const programs = found && found.version < NEWER ? found : null;
const leaveOut = test['skip'];
const folder = mkdtempSync(join(tmpdir(), 'gw-newer-'));
const endings: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of endings) await end();
  rmSync(folder, { recursive: true });
});

/** As those of the newer version behave towards this server. */
function newerPrograms(bin: string): string {
  const newer = join(folder, 'bin');
  mkdirSync(newer);
  for (const name of ['pg_dump', 'pg_restore', 'psql']) {
    const does =
      name === 'pg_restore' ? `echo '${TIMEOUT}'\nexec "${join(bin, name)}" "$@"` : `exec "${join(bin, name)}" "$@"`;
    const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo "${name} (PostgreSQL) ${NEWER}.5"; exit 0; fi\n${does}\n`;
    writeFileSync(join(newer, name), script);
    chmodSync(join(newer, name), 0o755);
  }
  return newer;
}

describe("a database of one's own that is older than the newest programs here", () => {
  if (programs === null) {
    process.stderr.write('Programs newer than their server were NOT TRIED: there is no PostgreSQL 15 or 16 here.\n');
    leaveOut('is restored (no PostgreSQL 15 or 16 is to be had)', () => undefined);
  } else {
    test('is backed up and restored by those of its own version', async () => {
      const postgres = await OwnPostgres.start(programs);
      endings.push(() => postgres.stop());
      const dataDir = join(folder, 'data');
      const PATH = `${newerPrograms(programs.bin)}:${process.env.PATH}`;
      const settings = { DATABASE_URL: await postgres.newDatabase('live'), DATA_DIR: dataDir, PATH };
      const file = join(folder, 'own.backup');
      const gateway = await GatewayProcess.start({ role: 'all', databaseUrl: settings.DATABASE_URL, dataDir, env: {} });
      const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
      const { DATABASE_URL: databaseUrl } = settings;
      process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken, databaseUrl });
      const client = await newClient();
      const payee = await client.payablePayee();
      const { id } = (await client.payout(payee.id, { idempotencyKey: 'monday' })).body;
      expect(runScript('backup', [file], settings)).toMatchObject({ status: 0, stderr: '' });
      await gateway.kill('SIGTERM');
      const restored = { ...settings, DATABASE_URL: await postgres.newDatabase('restored') };
      const said = runScript('restore', [file], restored);
      expect(said.stderr).toBe('');
      expect(await query(restored.DATABASE_URL, 'SELECT id FROM payouts')).toEqual([{ id }]);
    });
  }
});
