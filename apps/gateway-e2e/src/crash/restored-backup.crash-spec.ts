/**
 * A backup by the operator's own command, money that moves after it, and the backup put back: the provider, whose books lie
 * outside, paid each payout once, and what the restored database never knew is named.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chronicle } from '../chaos/chronicle';
import { LEDGER_FILE, type LedgerLine, readLines } from '../chaos/provider/ledger';
import { ProviderProcess } from '../chaos/world/provider-process';
import { type Answer, ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { freePort } from '../harness/free-port';
import { GatewayProcess } from '../harness/gateway-process';
import { readPayout, reasonOf } from '../harness/money';
import { owe, withdraw } from '../harness/owed';
import { runScript, type Said } from '../harness/npm-script';

const WITH_PROVIDER = 'dist/apps/gateway/testing/main-with-provider.js';
const LIVE = { testMode: false, defaultCurrency: 'EUR', caps: { dailyCents: 100_000_000 } };

describe('a backup that is restored', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-restored-'));
  const dataDir = join(folder, 'data');
  const backup = join(folder, 'monday.backup');
  const chronicle = new Chronicle(folder);
  const provider = new ProviderProcess(chronicle, 1);
  let gateway: GatewayProcess;
  let live: ApiClient;
  let testing: ApiClient;
  let backedUp: Said;
  let restored: Said;
  let refused: Said;

  /** What moved, by the code it moved under, as the provider wrote it down. */
  const moved = (): LedgerLine[] =>
    readLines<LedgerLine>(folder, LEDGER_FILE).filter(({ event }) => event === 'settled');
  const movedTo = (payee: string): number[] =>
    moved()
      .filter((line) => line.payee === payee)
      .map(({ amountCents }) => amountCents);
  const ended = async (payout: Json): Promise<Json> =>
    eventually(
      () => readPayout(live, payout.id),
      ({ status }) => status === 'paid',
    );
  /** By their own ids, as a caller does who may have done all of this before. */
  const person = async (externalId: string, country: 'FR' | 'DE'): Promise<Json> => {
    const payee = await live.payee({ externalId, country, email: `${externalId}@example.org` });
    if (country === 'FR') {
      const account = { provider: 'custodial_a', providerAccountId: `acct_${externalId}` };
      expect((await live.post(`/payees/${payee.id}/methods`, account)).status).toBe(200);
    }
    return payee;
  };
  const pay = (payee: Json, idempotencyKey: string, amountCents: number): Promise<Answer> =>
    live.payout(payee.id, { idempotencyKey, amountCents, currency: 'EUR' });
  const row = (payee: Json, externalRef: string, amountCents: number): Promise<Json[]> =>
    owe(live, payee.id, [amountCents], { externalRef, currency: 'EUR' });
  const batch = (...payees: Json[]): Promise<Answer> =>
    live.post('/payouts/batch', {
      idempotencyKey: 'tuesday',
      items: payees.map(({ id }, index) => ({ payeeId: id, amountCents: 2_001 + index, currency: 'EUR' })),
    });
  const mockPay = async (idempotencyKey: string): Promise<Json> => {
    const { id } = await testing.payablePayee({ externalId: 'mock' });
    return (await testing.payout(id, { idempotencyKey })).body;
  };

  /** After the backup; and, with the same ids and keys, after the restore. */
  const tuesday = async (): Promise<{ direct: Json; claimed: Json; rows: Answer; withdrawn: Answer[] }> => {
    const ada = await person('ada', 'FR');
    const bob = await person('bob', 'DE');
    const eve = await person('eve', 'DE');
    await row(eve, 'eve-1', 3_003);
    await row(ada, 'ada-1', 4_004);
    return {
      ...{ direct: (await pay(ada, 'direct', 1_001)).body, claimed: (await pay(bob, 'claimed', 1_002)).body },
      rows: await batch(ada, bob),
      withdrawn: [await withdraw(live, eve.id), await withdraw(live, ada.id)],
    };
  };

  beforeAll(async () => {
    await provider.start();
    provider.mend();
    const rails = { CUSTODIAL_A_URL: provider.url, CLAIM_RAIL_URL: provider.url, SWAP_RAIL_URL: provider.url };
    const env = { ...rails, LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };
    const settings = { role: 'all', databaseUrl: '', dataDir, env, program: WITH_PROVIDER } as const;
    gateway = await GatewayProcess.start(settings, await freePort());
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken, databaseUrl: '' });
    await operator('PUT', '/routes', { routes: { FR: ['custodial_a'], DE: ['claim_rail'] } });
    live = await newClient(LIVE);
    testing = await newClient();

    const grace = await person('grace', 'FR');
    await ended((await pay(grace, 'monday', 5_005)).body);
    await mockPay('mock-monday');
    backedUp = runScript('backup', [backup], { DATA_DIR: dataDir });

    const { direct, claimed } = await tuesday();
    const lost = await pay(grace, 'never asked for again', 6_006);
    const early = await pay(grace, 'early', 7_007);
    await mockPay('mock-tuesday');
    for (const payout of [direct, claimed, lost.body, early.body]) await ended(payout);
    await eventually(
      () => Promise.resolve(moved()),
      (lines) => lines.length === 9,
    );

    refused = runScript('restore', [backup], { DATA_DIR: dataDir });
    await gateway.kill('SIGTERM');
    restored = runScript('restore', [backup], { DATA_DIR: dataDir });
    await gateway.restart();
  });
  afterAll(async () => {
    await gateway?.kill('SIGTERM');
    await provider.stop();
    rmSync(folder, { recursive: true });
  });

  it('is made while the service runs, and put back only while it does not', () => {
    expect(backedUp).toMatchObject({ status: 0, stderr: '' });
    expect(backedUp.stdout).toMatch(/ 3 clients, the newest payout of /);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain('is in use. Stop the service');
    expect(restored).toMatchObject({ status: 0, stderr: '' });
    expect(restored.stdout).toContain('postgres.before-restore');
  });

  it('knows what was before it, and nothing of what came after', async () => {
    const keys = (client: ApiClient): Promise<string[]> =>
      client.get('/payouts').then(({ body }) => body.data.map(({ idempotencyKey }: Json) => idempotencyKey));
    expect(await keys(live)).toEqual(['monday']);
    expect(await keys(testing)).toEqual(['mock-monday']);
    expect((await live.get('/payees?externalId=ada')).body.data).toEqual([]);
    const { body } = await pay((await live.get('/payees?externalId=grace')).body.data[0], 'monday', 5_005);
    expect(body).toMatchObject({ status: 'paid' });
  });

  it('pays nobody twice who asks again before anything was compared', async () => {
    const [grace] = (await live.get('/payees?externalId=grace')).body.data;
    const { body } = await pay(grace, 'early', 7_007);
    const rests = await eventually(
      () => readPayout(live, body.id),
      ({ status }) => status === 'paid' || status === 'held',
    );
    // Sent again its code is known there; it is held if a comparison came first.
    if (rests.status === 'held') expect(reasonOf(rests)).toBe('route_blocked');
    expect(movedTo('grace').sort()).toEqual([5_005, 6_006, 7_007]);
  });

  it('has all that the provider moved since then named as drift, also what nobody asks for again', async () => {
    const forgotten = moved().filter(({ amountCents }) => ![5_005, 7_007].includes(amountCents));
    const codes = forgotten.map(({ code }) => code);
    const lines = await eventually(
      async () => {
        await operator('POST', '/jobs/reconcile/run');
        const open = (await operator('GET', '/drift?open=true')).body.data as Json[];
        return open.filter(({ railKey }) => codes.includes(railKey));
      },
      (open) => open.length === codes.length,
    );
    expect(codes).toHaveLength(7);
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['unknown_here']));
    expect(lines.map(({ railKey }) => railKey).sort()).toEqual([...codes].sort());
  });

  it('pays nobody twice when callers send all of it again', async () => {
    const before = moved();
    const { direct, claimed, rows, withdrawn } = await tuesday();
    const batched = rows.body.results.map(({ transaction }: Json) => transaction);
    const withdrawals = (await live.get('/payouts?limit=10')).body.data.filter(
      ({ source }: Json) => source === 'withdraw',
    );
    expect(withdrawn.map(({ status }) => status)).toEqual([200, 200]);
    expect(withdrawals).toHaveLength(2);
    for (const { id } of [direct, claimed, ...batched, ...withdrawals]) {
      const held = await eventually(
        () => readPayout(live, id),
        ({ status }) => status === 'held',
      );
      expect(reasonOf(held)).toBe('route_blocked');
    }
    expect(await mockPay('mock-tuesday')).toMatchObject({ status: 'paid' });
    // Nothing waits any more that could still send something, and the provider's own books are as they were.
    await operator('POST', '/jobs/sweep/run');
    await operator('POST', '/jobs/release/run');
    expect(moved()).toEqual(before);
    expect(new Set(before.map(({ code }) => code)).size).toBe(9);
    expect(movedTo('ada').sort()).toEqual([1_001, 2_001, 4_004]);
    expect(movedTo('bob').sort()).toEqual([1_002, 2_002]);
    expect(movedTo('eve')).toEqual([3_003]);
    expect(movedTo('grace').sort()).toEqual([5_005, 6_006, 7_007]);
  });

  it('is put in order as the runbook says: give up what is held, and call paid what was', async () => {
    const [eves] = (await live.get('/payees?externalId=eve')).body.data;
    const [owedRow] = (await live.get(`/disbursements?payeeId=${eves.id}`)).body.data;
    const payout = (await operator('GET', `/payouts/${owedRow.transactionId}`)).body;
    const given = await operator('POST', `/payouts/${payout.id}/fail`, { reason: 'paid before the restore' });
    expect(given.status).toBe(200);
    // Now that there is a payout again the difference is about that.
    const open = (await operator('GET', '/drift?open=true')).body.data;
    const line = open.find(({ payoutId }: Json) => payoutId === payout.id);
    expect(line).toMatchObject({ kind: 'not_paid_here', railKey: payout.railKey });
    const resolved = await operator('POST', `/drift/${line.id}/resolve`, { note: 'listed there', rows: 'paid' });
    expect(resolved).toMatchObject({ status: 200 });
    expect((await live.get(`/disbursements/${owedRow.id}`)).body.status).toBe('paid');
    expect((await withdraw(live, eves.id)).body.error).toBe('nothing_to_withdraw');
    expect(movedTo('eve')).toEqual([3_003]);
  });
});
