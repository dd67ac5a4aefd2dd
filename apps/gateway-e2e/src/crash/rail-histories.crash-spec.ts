/**
 * Random histories of rails: calls in legs, codes that are forgotten, "not now", answers that are lost, and bounces of which no
 * notice tells, all side by side. Whatever happened, the provider's books and ours agree to the cent. A failure prints its seed:
 * RAIL_HISTORIES_SEED runs it again, RAIL_HISTORIES=500 runs more.
 */
import fc from 'fast-check';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nowMs } from '../chaos/now';
import { type ApiClient, type Json, newClient, operator } from '../harness/api';
import { newDatabase, query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { BOUNCE_FEE_CENTS, histories, type History, MOODY_RAILS, MoodyProvider } from '../harness/moody-provider';
import { owe, rowsOf, withdraw } from '../harness/owed';
import { ScriptedProvider, WITH_SCRIPTED_RAILS } from '../harness/scripted-provider';

const SEED = Number(process.env.RAIL_HISTORIES_SEED ?? randomInt(2 ** 31));
const COUNT = Number(process.env.RAIL_HISTORIES ?? 60);
const COUNTRIES = { busy_rail: 'DE', forgetful_rail: 'FR', quiet_rail: 'IT', legged_rail: 'NL' } as const;
/** For what hangs: then the test says which history, and where it stands. */
const STUCK_MS = 600_000;
const ASKED_CENTS = 5_000;
const OWED_CENTS = [2_000, 3_000];

interface Ending {
  history: History;
  provider: MoodyProvider;
  /** Payouts, and where they stand. */
  payouts: Json[];
  owed: Json[];
}

describe('random histories of rails', () => {
  let gateway: GatewayProcess;
  let scripted: ScriptedProvider;
  let client: ApiClient;
  let databaseUrl: string;

  beforeAll(async () => {
    scripted = await ScriptedProvider.start();
    databaseUrl = await newDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), 'gw-histories-'));
    const urls = Object.fromEntries(
      MOODY_RAILS.map((rail) => [`${rail.toUpperCase()}_URL`, `${scripted.url}/${rail}`]),
    );
    const env = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000', ...urls };
    gateway = await GatewayProcess.start({ role: 'all', databaseUrl, dataDir, env, program: WITH_SCRIPTED_RAILS });
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken, databaseUrl });
    client = await newClient({ testMode: false });
    const routes = Object.fromEntries(Object.entries(COUNTRIES).map(([rail, country]) => [country, [rail]]));
    await operator('PUT', '/routes', { routes, blockedCountries: [] });
  });
  afterAll(async () => {
    await gateway.kill('SIGTERM');
    await scripted.stop();
  });

  async function live(history: History): Promise<Ending> {
    const provider = new MoodyProvider(history, nowMs);
    const id = `payee-${randomUUID()}`;
    scripted.tell({ id, play: (call) => provider.play(call), dies: null });
    const person = {
      externalId: id,
      email: `${id}@example.com`,
      name: 'Ada Lovelace',
      country: COUNTRIES[history.rail],
    };
    const { body: payee } = await client.post('/payees', person);
    if (history.owed) await owe(client, payee.id, OWED_CENTS);
    else await client.payout(payee.id, { amountCents: ASKED_CENTS, currency: 'USD', idempotencyKey: id });
    for (const until = performance.now() + STUCK_MS; ; await pause(500)) {
      const payouts = (await client.get(`/payouts?payeeId=${payee.id}`)).body.data as Json[];
      const owed = history.owed ? (await rowsOf(client, payee.id)).filter(({ status }) => status === 'owed') : [];
      const isQuiet = payouts.every(({ status }) => isAtRest(status)) && owed.length === 0;
      const ending = { history, provider, payouts, owed };
      if ((isQuiet && agrees(ending)) || performance.now() > until) return ending;
      if (owed.length > 0) await withdraw(client, payee.id);
      else for (const payout of payouts) await careFor(payout, provider);
    }
  }

  /** What caller and operator do about a payout that does not get on. */
  async function careFor({ id, status, retryable }: Json, provider: MoodyProvider): Promise<void> {
    if (retryable) await client.post(`/payouts/${id}/retry`);
    if (status !== 'submitted' && status !== 'held') return;
    const { railKey, statusReason } = (await operator('GET', `/payouts/${id}`)).body;
    const isForgotten = String(statusReason).includes('no longer honours its code');
    if (isForgotten && provider.hasNothingOf(railKey))
      await operator('POST', `/payouts/${id}/fail`, { neverSeen: true });
    else if (status === 'held') await client.post(`/payouts/${id}/release`);
  }

  test('end with the same money in both books', async () => {
    let acting = true;
    const schedules = (async () => {
      for (; acting; await pause(2_000)) await operator('POST', '/jobs/reconcile/run');
    })();
    const endings = await Promise.all(fc.sample(histories, { seed: SEED, numRuns: COUNT }).map(live));
    acting = false;
    await schedules;
    const wrong = endings.filter((ending) => !agrees(ending) || paidTwice(ending.provider)).map(shown);
    expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] });
    // The histories must have been what they are meant to be: without bounces and retries nothing was shown.
    const told = (kind: string): number =>
      endings.reduce((sum, { payouts }) => sum + payouts.filter(({ status }) => status === kind).length, 0);
    expect([told('paid') > 0, told('failed') > 0, told('returned') > 0]).toEqual([true, true, true]);
    expect(await query(databaseUrl, 'SELECT rail, kind FROM drift WHERE resolved_by IS NULL')).toEqual([]);
  }, 900_000);
});

const isAtRest = (status: string): boolean => ['paid', 'failed', 'returned'].includes(status);

/** A payout is paid if its money is there, returned if it came back, and failed if it never moved or was pulled back. */
function agrees({ history, provider, payouts, owed }: Ending): boolean {
  const sum = (status: string): number =>
    payouts.filter((payout) => payout.status === status).reduce((cents, { amountCents }) => cents + amountCents, 0);
  const count = (status: string): number => payouts.filter((payout) => payout.status === status).length;
  const isSame = sum('paid') === provider.landedCents && count('returned') === provider.bounces;
  if (!isSame || provider.isToBounce || payouts.some(({ status }) => !isAtRest(status))) return false;
  // The rows of one that failed may have left with another: then it stays as it is.
  if (!history.owed) return payouts.every(({ retryable }) => !retryable);
  const owedCents = OWED_CENTS.reduce((cents, row) => cents + row, 0) - BOUNCE_FEE_CENTS * provider.bounces;
  return owed.length === 0 && provider.landedCents === owedCents;
}

const paidTwice = ({ left }: MoodyProvider): boolean => new Set(left).size < left.length;

const shown = ({ history, provider: { left, payments }, payouts, owed }: Ending): Json => ({
  ...{ history, left, payments: [...payments.values()], owed },
  payouts: payouts.map(({ id, status, amountCents, statusReason }) => ({ id, status, amountCents, statusReason })),
});
