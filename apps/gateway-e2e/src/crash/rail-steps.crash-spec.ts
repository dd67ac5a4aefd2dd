/**
 * kill -9 at each call of a rail: one that says "not now", one that forgets codes, one that sends money back without a notice,
 * and one that rejects a person first. Money moves once, nothing is stuck, and whoever waits is told.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type ApiClient, eventually, type Json, newClient, operator, send } from '../harness/api';
import { newDatabase, query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { type Call, type Fact, type Page, ScriptedProvider, WITH_SCRIPTED_RAILS } from '../harness/scripted-provider';
import { WebhookCatcher } from '../harness/webhook-catcher';

type Played = Fact & { moves?: true };

interface Plot {
  country: string;
  rail: string;
  /** Somebody dies at each of so many calls, which are the first ones. */
  calls: number;
  play: (call: Call, page: Page) => Played;
  /** What becomes of the payout if nobody dies, and of the money. */
  ends: { status: string; moved: number };
}

/** For what hangs: whoever is still on the way then stays where they are, and the test says where. */
const STUCK_MS = 900_000;
/** A delivery that a dead process had begun is missed after a while. */
const TOLD_MS = 90_000;
const REF = 'ref-1';
const accepted: Played = { kind: 'accepted', providerRef: REF };
const settled: Played = { kind: 'settled', providerRef: REF, settledAt: null };
const refused: Played = { kind: 'refused', failure: 'transient', reason: 'the bank is closed' };
const standing = (payable: boolean): Played => ({
  ...{ kind: 'account', payable, country: null, kycReason: payable ? null : 'the photo is blurred' },
  ...(payable ? { kyc: 'verified', onboarding: 'complete' } : { kyc: 'rejected', onboarding: 'restricted' }),
});
const timesOf = ({ told }: Page, kind: string): number => told[kind] ?? 0;
/** Once for each code: under another one it would pay again. */
const sentOnce = ({ name, railKey }: Call, page: Page): Played => {
  if (page.moved.includes(railKey)) return settled;
  return name === 'submit' ? { ...accepted, moves: true } : { kind: 'never_seen' };
};

const PLOTS: Record<string, Plot> = {
  'not now': {
    ...{ country: 'DE', rail: 'busy_rail', calls: 3 },
    play: (call, page) =>
      call.name === 'submit' && timesOf(page, 'not_now') < 2
        ? { kind: 'not_now', afterSeconds: 1, detail: 'maintenance' }
        : sentOnce(call, page),
    ends: { status: 'paid', moved: 1 },
  },
  'lost, and its code forgotten': {
    ...{ country: 'FR', rail: 'forgetful_rail', calls: 2 },
    play: ({ name }) => (name === 'submit' ? { kind: 'unknown', detail: 'no answer' } : { kind: 'never_seen' }),
    ends: { status: 'failed', moved: 0 },
  },
  'refused, its code forgotten, and sent again': {
    ...{ country: 'FR', rail: 'forgetful_rail', calls: 3 },
    play: (call, page) => {
      const { submit } = page.asked;
      const isRefused = page.moved.length === 0 && (call.name === 'submit' ? submit === 1 : submit > 0);
      return isRefused ? refused : sentOnce(call, page);
    },
    ends: { status: 'paid', moved: 1 },
  },
  'sent back without a notice': {
    ...{ country: 'IT', rail: 'quiet_rail', calls: 3 },
    play: (call, page) => (timesOf(page, 'settled') > 0 ? { kind: 'bounced', feeCents: 25 } : sentOnce(call, page)),
    ends: { status: 'returned', moved: 1 },
  },
  'a person who is rejected first': {
    ...{ country: 'CH', rail: 'strict_rail', calls: 4 },
    play: (call, page) => (call.name === 'account' ? standing(timesOf(page, 'account') > 1) : sentOnce(call, page)),
    ends: { status: 'paid', moved: 1 },
  },
};

/** Nobody dies, or somebody before the first call was heard, or after one of them was. */
const ACTS = Object.entries(PLOTS).flatMap(([title, plot]) =>
  [
    null,
    { call: 1, stage: 'before' as const },
    ...Array.from({ length: plot.calls }, (_, call) => ({ call: call + 1, stage: 'after' as const })),
  ].map((dies) => ({ title, plot, dies })),
);

const UNDER_WAY = `SELECT id FROM payouts WHERE status IN ('requested', 'authorized', 'submitted')`;

describe('a process that is killed at a call of a rail', () => {
  let gateway: GatewayProcess;
  let provider: ScriptedProvider;
  let catcher: WebhookCatcher;
  let client: ApiClient;
  let databaseUrl: string;

  beforeAll(async () => {
    provider = await ScriptedProvider.start();
    databaseUrl = await newDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), 'gw-steps-'));
    const rails = [...new Set(Object.values(PLOTS).map(({ rail }) => rail))];
    const urls = Object.fromEntries(rails.map((rail) => [`${rail.toUpperCase()}_URL`, `${provider.url}/${rail}`]));
    const env = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000', ...urls };
    gateway = await GatewayProcess.start({ role: 'all', databaseUrl, dataDir, env, program: WITH_SCRIPTED_RAILS });
    provider.strike = async () => {
      await gateway.kill('SIGKILL');
      await gateway.restart();
    };
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken, databaseUrl });
    catcher = await new WebhookCatcher().start();
    client = await newClient({ testMode: false, webhookUrl: catcher.url });
    const routes = Object.fromEntries(Object.values(PLOTS).map(({ country, rail }) => [country, [rail]]));
    await operator('PUT', '/routes', { routes, blockedCountries: [] });
  });
  afterAll(async () => {
    await gateway.kill('SIGTERM');
    await Promise.all([provider.stop(), catcher.stop()]);
  });

  /** Whoever was cut off asks again, as a caller would. */
  const insist = async (ask: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await ask().catch(() => null);
      if (answer && answer.status < 500) return answer;
      await pause(200);
    }
  };
  const read = async (id: string): Promise<Json> => (await insist(() => client.get(`/payouts/${id}`))).body;

  /** What its caller and the operator do about a payout that does not get on, until it has come to its end. */
  const careFor = async (id: string, atTheProvider: () => Page): Promise<Json> => {
    let givenUp = false;
    for (const until = performance.now() + STUCK_MS; ; await pause(1_000)) {
      const payout = { ...(await read(id)), givenUp };
      const { status, statusReason, retryable, provider: rail } = payout;
      const isOver = status === 'returned' || (status === 'paid' && rail !== 'quiet_rail');
      if (isOver || (status === 'failed' && !retryable) || performance.now() > until) return payout;
      if (retryable) await insist(() => client.post(`/payouts/${id}/retry`));
      if (status === 'held') await insist(() => client.post(`/payouts/${id}/release`));
      // An operator who found nothing at the provider. If it is on its way again by now, it is not given up.
      const isForgotten = String(statusReason).includes('no longer honours its code');
      if (isForgotten && atTheProvider().moved.length === 0) {
        givenUp = true; // also if the answer is lost
        await insist(() => operator('POST', `/payouts/${id}/fail`, { neverSeen: true }));
      }
    }
  };

  const perform = async ({ plot, dies }: (typeof ACTS)[number]): Promise<Json> => {
    const id = `acct_${randomUUID()}`;
    provider.tell({ id, play: plot.play, dies });
    const person = { externalId: id, email: `${id}@example.com`, name: 'Ada Lovelace', country: plot.country };
    const payee = (await insist(() => client.post('/payees', person))).body;
    if (plot.rail === 'strict_rail')
      await insist(() => client.post(`/payees/${payee.id}/methods`, { provider: plot.rail, providerAccountId: id }));
    const wish = { payeeId: payee.id, amountCents: 5_000, currency: 'USD', idempotencyKey: id };
    const { body } = await insist(() => client.post('/payouts', wish));
    return { ...(await careFor(body.id, () => provider.pageOf(id))), payee: id };
  };

  test('each payout moves its money once, comes to its end, and is told', async () => {
    let acting = true;
    // Nobody is there now and then: again in a moment.
    const run = (job: string): Promise<unknown> => operator('POST', `/jobs/${job}/run`).catch(() => null);
    const schedules = (async () => {
      for (; acting; await pause(2_000)) await Promise.all(['reconcile', 'payability'].map(run));
    })();
    const endings = await Promise.all(ACTS.map(perform));
    acting = false;
    await schedules;
    expect(provider.strikes).toBe(ACTS.filter(({ dies }) => dies).length);
    endings.forEach((payout, index) => {
      const { title, plot, dies } = ACTS[index] as (typeof ACTS)[number];
      const { moved } = provider.pageOf(payout.payee);
      const isPaid = payout.status !== 'failed';
      expect([title, dies, payout.status, moved.length]).toEqual([title, dies, payout.status, isPaid ? 1 : 0]);
      // Whoever came too late to send again, on a busy machine, was given up instead.
      if (!dies && !payout.givenUp)
        expect([title, payout.status, moved.length]).toEqual([title, plot.ends.status, plot.ends.moved]);
    });
    expect(await query(databaseUrl, UNDER_WAY)).toEqual([]);
    const told = (): Set<string> =>
      new Set(catcher.received.map(({ json }) => `${(json as Json).transactionId} ${(json as Json).status}`));
    await eventually(
      () => Promise.resolve(told()),
      (all) => endings.every(({ id, status }) => all.has(`${id} ${status}`)),
      TOLD_MS,
    );
    expect(await query(databaseUrl, 'SELECT rail FROM drift WHERE resolved_by IS NULL')).toEqual([]);
    expect((await send(`${gateway.url}/health/ready`, 'GET', {})).status).toBe(200);
  }, 1_000_000);
});
