/**
 * A standby that is a moment behind is promoted, as with asynchronous replication: a withdrawal that was sent in that moment is known to nobody, and
 * its row, withdrawn with a newer one, has another code. It waits until its rail was compared with, as after a restore (ADR 129).
 */
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/embedded-postgres';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { readPayout } from '../harness/money';
import { owedRow, payoutOf, push, withdraw } from '../harness/owed';
import { ScriptedProvider, WITH_SCRIPTED_RAILS } from '../harness/scripted-provider';

const RAILS = ['BUSY', 'FORGETFUL', 'QUIET', 'STRICT', 'LEGGED'];

function giveTo(owner: { uid: number; gid: number }, path: string): void {
  chownSync(path, owner.uid, owner.gid);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) giveTo(owner, join(path, name));
}

describe('a standby that is a moment behind', () => {
  const databaseDir = mkdtempSync(join(tmpdir(), 'gw-standby-behind-'));
  const [primary, standby] = [join(databaseDir, 'postgres'), join(databaseDir, 'standby')];
  let gateway: GatewayProcess;
  let provider: ScriptedProvider;
  let postgres: EmbeddedPostgres;
  let client: ApiClient;
  let moved = 0;

  const isReady = (): Promise<unknown> =>
    eventually(
      () => fetch(`${gateway.url}/health/ready`),
      ({ status }) => status === 200,
    );

  beforeAll(async () => {
    provider = await ScriptedProvider.start();
    postgres = await startEmbeddedPostgres({ dataDir: databaseDir });
    const databaseUrl = postgres.url;
    const dataDir = mkdtempSync(join(tmpdir(), 'gw-standby-behind-data-'));
    const urls = Object.fromEntries(RAILS.map((name) => [`${name}_RAIL_URL`, provider.url]));
    const env = { LOG_LEVEL: 'warn', ...urls };
    gateway = await GatewayProcess.start({ role: 'all', databaseUrl, dataDir, env, program: WITH_SCRIPTED_RAILS });
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken, databaseUrl });
    client = await newClient({ testMode: false });
    await operator('PUT', '/routes', { routes: { DE: ['busy_rail'] }, blockedCountries: [] });
  });
  afterAll(async () => {
    await gateway?.kill('SIGTERM');
    await provider?.stop();
    await postgres?.stop();
  });

  const payee = async (): Promise<Json> => {
    const id = `payee-${randomUUID()}`;
    provider.tell({
      id,
      dies: null,
      play: ({ name, railKey, amountCents }, page) => {
        const settled = { kind: 'settled', providerRef: railKey, settledAt: null };
        if (page.moved.includes(railKey)) return settled;
        if (name !== 'submit') return { kind: 'never_seen' };
        moved += amountCents;
        return { ...settled, moves: true };
      },
    });
    return client.payee({ externalId: id, email: `${id}@example.com`, country: 'DE' });
  };

  /** All that is written until here. */
  const copiedToStandby = async (): Promise<void> => {
    await postgres.stop();
    cpSync(primary, standby, { recursive: true, preserveTimestamps: true });
    giveTo(statSync(primary), standby);
    postgres = await startEmbeddedPostgres({ dataDir: databaseDir });
    await isReady();
  };
  const promoted = async (): Promise<void> => {
    await postgres.stop();
    renameSync(primary, join(databaseDir, 'before'));
    renameSync(standby, primary);
    writeFileSync(join(primary, 'standby.signal'), '');
    postgres = await startEmbeddedPostgres({ dataDir: databaseDir });
    await query(postgres.url, 'SELECT pg_promote()');
    await isReady();
  };
  const answered = (ask: () => Promise<{ status: number; body: Json }>): Promise<{ status: number; body: Json }> =>
    eventually(ask, ({ status }) => status < 300);

  test('pays nobody twice', async () => {
    const { id } = await payee();
    await answered(() => push(client, [owedRow(id, { amountCents: 6_000 })]));
    await copiedToStandby();
    await answered(() => withdraw(client, id));
    await eventually(
      () => Promise.resolve(moved),
      (cents) => cents === 6_000,
    );
    await promoted();
    expect(await query(postgres.url, 'SELECT id FROM payouts')).toEqual([]);

    const { body: pushed } = await answered(() => push(client, [owedRow(id, { amountCents: 1_000 })]));
    await answered(() => withdraw(client, id));
    const payout = await payoutOf(client, pushed.results[0].disbursement);
    await answered(() => operator('POST', `/payouts/${payout.id}/look`));
    expect([moved, await readPayout(client, payout.id)]).toMatchObject([
      6_000,
      { status: 'authorized', amountCents: 7_000 },
    ]);
    const { body: rails } = await operator('GET', '/rails');
    expect(rails.data.find(({ name }: Json) => name === 'busy_rail').awaitedSince).not.toBeNull();
  });
});
