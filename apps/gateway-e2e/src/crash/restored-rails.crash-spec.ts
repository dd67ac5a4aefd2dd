/**
 * A backup put back under the shipped rails: what callers send again has the code of before, or waits for a person who reads what
 * the provider lists; and the providers' own books, which lie outside, show each payment once.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { embeddedUrl } from '../harness/embedded-database';
import { freePort } from '../harness/free-port';
import { GatewayProcess } from '../harness/gateway-process';
import { readPayout, reasonOf } from '../harness/money';
import { runScript } from '../harness/npm-script';
import { owe, payoutOf, standing, withdraw } from '../harness/owed';
import { RailSandbox } from '../harness/rail-sandbox';

const LIST_NOTHING = ['claim_rail', 'gift_rail', 'swap_rail'];

describe('a backup that is restored under the shipped rails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-restored-rails-'));
  const dataDir = join(folder, 'data');
  const backup = join(folder, 'it.backup');
  let sandbox: RailSandbox;
  let gateway: GatewayProcess;
  let client: ApiClient;

  beforeAll(async () => {
    const port = await freePort();
    sandbox = await RailSandbox.start(`http://127.0.0.1:${port}`);
    const env = { ...(await sandbox.settings()), LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };
    gateway = await GatewayProcess.start({ role: 'all', databaseUrl: '', dataDir, env }, port);
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken, databaseUrl: '' });
    await operator('PUT', '/routes', { routes: { DE: ['claim_rail'] } });
    client = await newClient({ testMode: false, defaultCurrency: 'EUR' });
    await sandbox.does('claim_rail', 'register', { email: 'ada@example.org' });
    for (const id of ['acct_bob', 'acct_carol']) await sandbox.does('custodial_a', 'account', { id });
    // What moved before the first payout of a rail is none of ours.
    const carol = await carolHere();
    const { body } = await client.payout(carol.id, { idempotencyKey: 'monday', amountCents: 1_111, currency: 'EUR' });
    await paid(body.id);
    await operator('POST', '/jobs/reconcile/run');
    expect(runScript('backup', [backup], { DATA_DIR: dataDir })).toMatchObject({ status: 0, stderr: '' });
  });
  afterAll(async () => {
    await gateway?.kill('SIGTERM');
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  });

  const paid = (id: string): Promise<Json> =>
    eventually(
      () => readPayout(client, id),
      ({ status }) => status === 'paid',
    );
  const carolHere = async (): Promise<Json> => {
    const carol = await client.payee({ externalId: 'carol', country: 'DE', email: 'carol@example.org' });
    const account = { provider: 'custodial_a', providerAccountId: 'acct_carol' };
    expect((await client.post(`/payees/${carol.id}/methods`, account)).status).toBe(200);
    return carol;
  };
  const isHeld = async (id: string): Promise<void> => {
    const held = await eventually(
      async () => {
        await operator('POST', '/jobs/reconcile/run');
        await operator('POST', `/payouts/${id}/look`);
        return readPayout(client, id);
      },
      ({ status }) => status !== 'authorized',
    );
    expect([held.status, reasonOf(held)]).toEqual(['held', 'route_blocked']);
  };
  const gaveUp = async (id: string): Promise<void> => {
    expect((await operator('POST', `/payouts/${id}/fail`, { reason: 'looked into' })).status).toBe(200);
  };
  /** Each transfer of Stripe's to her, in the order in which they left. */
  const sentToCarol = async (): Promise<number[]> => {
    const { transfers } = await sandbox.books('custodial_a');
    return transfers
      .filter(({ destination }: Json) => destination === 'acct_carol')
      .map(({ units }: Json) => units as number);
  };

  /** What was sent right before the service stopped may be in no list before ten minutes are over. */
  const restoredTenMinutesAgo = (): Promise<unknown> =>
    query(embeddedUrl(dataDir), `UPDATE rail_scans SET restored_at = restored_at - interval '10 minutes'`);
  const awaited = async (): Promise<string[]> =>
    (await operator('GET', '/rails')).body.data.flatMap(({ name, awaitedSince }: Json) => (awaitedSince ? name : []));
  const sayCompared = async (): Promise<void> => {
    for (const name of LIST_NOTHING) {
      const said = await operator('POST', `/rails/${name}/compared`);
      expect([said.status, said.body]).toEqual([200, { name, awaitedSince: said.body.awaitedSince }]);
    }
    expect(await awaited()).toEqual([]);
  };

  /** What a caller does, who knows its own ids and keys, and nothing of backups. */
  const allOfIt = async (): Promise<Json[]> => {
    const ada = await client.payee({ externalId: 'ada', country: 'DE', email: 'ada@example.org' });
    const bob = await client.payee({ externalId: 'bob', country: 'DE', email: 'bob@example.org' });
    const account = { provider: 'custodial_a', providerAccountId: 'acct_bob' };
    expect((await client.post(`/payees/${bob.id}/methods`, account)).status).toBe(200);
    const direct = [
      await client.payout(ada.id, { idempotencyKey: 'ada', amountCents: 1_001, currency: 'EUR' }),
      await client.payout(bob.id, { idempotencyKey: 'bob', amountCents: 1_002, currency: 'EUR' }),
    ];
    const learned = await Promise.all(direct.map(({ body }) => paid(body.id)));
    // After a restore rows wait for the lists of all rails, and for whoever compares with one that lists nothing.
    await operator('POST', '/jobs/reconcile/run');
    await sayCompared();
    const rows = await owe(client, ada.id, [2_002], { externalRef: 'row', currency: 'EUR' });
    expect((await withdraw(client, ada.id)).status).toBe(200);
    return [...learned, await paid((await payoutOf(client, rows[0])).id)];
  };
  const books = async (): Promise<Json> => {
    const { payments } = await sandbox.books('claim_rail');
    const { transfers, payouts } = await sandbox.books('custodial_a');
    const bobs = (all: Json[]): Json[] =>
      all.filter(({ destination, account }) => [destination, account].includes('acct_bob'));
    return {
      ada: payments.map(({ itemId, units, status }: Json) => ({ itemId, units, status })),
      bob: { transfers: bobs(transfers), payouts: bobs(payouts) },
    };
  };

  it('pays nobody twice when callers send all of it again', async () => {
    const first = await allOfIt();
    const carol = await carolHere();
    const [row] = await owe(client, carol.id, [3_003], { externalRef: 'tuesday', currency: 'EUR' });
    await withdraw(client, carol.id);
    await paid((await payoutOf(client, row)).id);
    const before = await books();
    expect(before.ada.map(({ units }: Json) => units).sort()).toEqual([1_001, 2_002]);
    expect(before.bob).toMatchObject({ transfers: [{ units: 1_002 }], payouts: [{ units: 1_002, status: 'paid' }] });

    await gateway.kill('SIGTERM');
    const restored = runScript('restore', [backup], { DATA_DIR: dataDir });
    expect(restored).toMatchObject({ status: 0, stderr: '' });
    // It knows of no list of custodial_b, which paid nothing, either.
    expect(restored.stdout).toContain('\nclaim_rail, custodial_b, gift_rail, swap_rail list nothing of what was moved');
    for (const name of LIST_NOTHING) expect(restored.stdout).toContain(`rails compared ${name}\n`);
    await gateway.restart();
    expect((await client.get('/payouts')).body.data).toMatchObject([{ idempotencyKey: 'monday' }]);
    expect(await awaited()).toEqual(expect.arrayContaining(['custodial_a', ...LIST_NOTHING]));

    await restoredTenMinutesAgo();
    const again = await allOfIt();
    expect(await books()).toEqual(before);
    // Other payouts of ours, and the same payments of theirs.
    expect(again.map(({ id }) => id)).not.toEqual(first.map(({ id }) => id));
    expect(again.map(({ providerRef }) => providerRef)).toEqual(first.map(({ providerRef }) => providerRef));
  });

  describe('rows that were paid, and leave with one more', () => {
    let carol: Json;
    let rows: Json[];

    it('wait for what the provider lists, and then for a person', async () => {
      carol = (await client.get('/payees?externalId=carol')).body.data[0] as Json;
      const [tuesday] = await owe(client, carol.id, [3_003], { externalRef: 'tuesday', currency: 'EUR' });
      const [wednesday] = await owe(client, carol.id, [4_004], { externalRef: 'wednesday', currency: 'EUR' });
      rows = [tuesday, wednesday] as Json[];
      expect((await withdraw(client, carol.id)).status).toBe(200);
      const { id } = await payoutOf(client, tuesday);
      await isHeld(id);
      expect(await sentToCarol()).toEqual([1_111, 3_003]);
      await gaveUp(id);
    });

    it('are put in order as the runbook says: what was not paid leaves alone, and what was is called so', async () => {
      const [tuesday, wednesday] = rows as [Json, Json];
      const alone = { idempotencyKey: 'wednesday alone', amountCents: 4_004, currency: 'EUR' };
      const { body } = await client.payout(carol.id, alone);
      await paid(body.id);
      const link = { replacementTransactionId: body.id, disbursementIds: [wednesday.id] };
      expect(await client.post('/disbursements/recovery-link', link)).toMatchObject({ status: 200 });
      expect((await withdraw(client, carol.id)).status).toBe(200);
      const again = await payoutOf(client, tuesday);
      await isHeld(again.id);
      await gaveUp(again.id);
      const open = (await operator('GET', '/drift?open=true')).body.data as Json[];
      const line = open.find(({ payoutId }) => payoutId === again.id) as Json;
      expect(line).toMatchObject({ kind: 'not_paid_here', railCents: 3_003 });
      const { status } = await operator('POST', `/drift/${line.id}/resolve`, { note: 'listed there', rows: 'paid' });
      expect(status).toBe(200);
      expect(await standing(client, rows)).toEqual(['paid', 'paid']);
      expect(await sentToCarol()).toEqual([1_111, 3_003, 4_004]);
    });
  });
});
