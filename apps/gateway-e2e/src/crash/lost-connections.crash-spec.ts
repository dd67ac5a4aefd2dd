/** Connections to PostgreSQL that end at each statement of each kind of change: nothing is lost, nothing is done twice. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Fate } from '#libs/db/testing';
import { type Answer, eventually, type Json, operator, send } from '../harness/api';
import { brokenInvariants } from '../harness/invariants';
import { deposit } from '../harness/money';
import { owe, owedRow, push, withdraw } from '../harness/owed';
import { beginRun, cameToRest, expectPaidOnce, payUntilAnswered, type PayoutRun } from '../harness/payout-run';
import { POOL, type Proxied, startProxied, stopProxied } from '../harness/proxied';
import { seededRandom } from '../harness/seeded-random';

const DAILY_CENTS = 100_000_000;
const FATES: Fate[] = ['ended before', 'answer lost'];
/** Answers to the same request once more: it is done, or was done already. */
const DONE = [200, 201, 207, 409];

interface Change {
  /** Makes what the change is about, and returns the change, which may be asked for twice. */
  prepare: () => Promise<() => Promise<Answer>>;
}

describe('connections that are lost', () => {
  let proxied: Proxied;
  let run: PayoutRun;
  let pushedCents = 0;

  beforeAll(async () => {
    proxied = await startProxied();
    run = await beginRun(proxied);
  });
  afterAll(async () => {
    await stopProxied(proxied);
    await run.catcher.stop();
  });

  const statuses = (path: string): Promise<number> =>
    send(`${proxied.api.url}${path}`, 'GET', {}).then(({ status }) => status);
  const payee = (): Promise<Json> => run.client.payablePayee();
  const payout = async (fields: object): Promise<string> =>
    (await run.client.payout((await payee()).id, { ...fields })).body.id;

  const linkOf = async (id: string): Promise<Answer> =>
    run.client.post(`/payees/${id}/onboarding-link`, { returnUrl: 'http://localhost/' });
  /** A page says it to a person. */
  const click = async (path: string): Promise<Answer> => {
    const { status, headers } = await fetch(proxied.api.url + path, { method: 'POST', redirect: 'manual' });
    const isPage = headers.get('content-type')?.startsWith('text/html');
    return { status: status === 303 ? 200 : status, headers, body: isPage ? { error: 'service_unavailable' } : {} };
  };

  const CHANGES: Record<string, Change> = {
    create: {
      prepare: async () => {
        const { id } = await payee();
        const idempotencyKey = randomUUID();
        return () => run.client.payout(id, { idempotencyKey });
      },
    },
    batch: {
      prepare: async () => {
        const payees = [await payee(), await payee()];
        const rows = payees.map(({ id }) => ({ payeeId: id, amountCents: 700, currency: 'USD' }));
        const idempotencyKey = randomUUID();
        return () => run.client.post('/payouts/batch', { idempotencyKey, items: rows });
      },
    },
    push: {
      prepare: async () => {
        const { id } = await payee();
        const rows = [owedRow(id), owedRow(id)];
        pushedCents += 2_000;
        return () => push(run.client, rows);
      },
    },
    withdraw: {
      prepare: async () => {
        const { id } = await payee();
        await owe(run.client, id, [600, 400]);
        pushedCents += 1_000;
        return () => withdraw(run.client, id);
      },
    },
    release: {
      prepare: async () => {
        const id = await payout({ amountCents: 50 });
        return () => run.client.post(`/payouts/${id}/release`);
      },
    },
    retry: {
      prepare: async () => {
        const id = await payout({ reason: 'mock:fail_once' });
        return () => run.client.post(`/payouts/${id}/retry`);
      },
    },
    adopt: {
      prepare: async () => {
        const { id } = await run.client.payee();
        const providerAccountId = `acct_${randomUUID()}`;
        return () => run.client.post(`/payees/${id}/methods`, { provider: 'custodial_a', providerAccountId });
      },
    },
    upsert: {
      prepare: async () => {
        const fields = {
          externalId: `payee-${randomUUID()}`,
          email: 'grace@example.com',
          name: 'Grace',
          country: 'US',
        };
        return () => run.client.post('/payees', fields);
      },
    },
    'operator change': {
      prepare: async () => () => operator('PATCH', `/clients/${run.client.id}`, { caps: { dailyCents: DAILY_CENTS } }),
    },
    'operator fail': {
      prepare: async () => {
        const id = await payout({ amountCents: 50 });
        return () => operator('POST', `/payouts/${id}/fail`);
      },
    },
    'onboarding link': {
      prepare: async () => {
        const { id } = await run.client.payee();
        return () => linkOf(id);
      },
    },
    'click on a page': {
      prepare: async () => {
        const { url } = (await linkOf((await run.client.payee()).id)).body;
        return () => click(new URL(url).pathname);
      },
    },
    'test onboarding on a page': {
      prepare: async () => {
        const { url } = (await linkOf((await run.client.payee()).id)).body;
        return () => click(`${new URL(url).pathname}/test/verified`);
      },
    },
    deposit: {
      prepare: async () => {
        const reference = randomUUID();
        return () => deposit(run.client, 1_000, { reference });
      },
    },
  };

  /** One statement of one request meets its fate; true if there was such a statement. */
  const meets = async (request: () => Promise<Answer>, at: number, fate: Fate): Promise<boolean> => {
    let statement = 0;
    proxied.ofApi.decide = ({ application }) => (application === POOL && statement++ === at ? fate : 'pass');
    const { status, body, headers } = await request();
    proxied.ofApi.decide = () => 'pass';
    if (status === 503) expect([body.error, headers.get('retry-after')]).toEqual(['service_unavailable', '1']);
    else expect(DONE).toContain(status);
    expect(await statuses('/health/live')).toBe(200);
    return statement > at;
  };

  test.each(Object.keys(CHANGES))('at each statement of: %s', async (name) => {
    const change = CHANGES[name] as Change;
    let walked = 0;
    for (const fate of FATES) {
      for (let at = 0, met = true; met; at += 1) {
        const request = await change.prepare();
        met = await meets(request, at, fate);
        if (met) walked += 1;
        const again = await eventually(request, ({ status }) => status !== 503);
        expect([name, fate, at, DONE.includes(again.status)]).toEqual([name, fate, at, true]);
      }
    }
    expect(walked).toBeGreaterThan(2 * FATES.length);
    await cameToRest(proxied.databaseUrl);
    expect(await brokenInvariants({ clientId: run.client.id, dailyCents: DAILY_CENTS, pushedCents })).toEqual([]);
  });

  test.each(['create', 'batch', 'push', 'withdraw', 'upsert', 'deposit'])(
    '%s: what was committed is answered as done, though the answer to COMMIT was lost',
    async (name) => {
      const request = await (CHANGES[name] as Change).prepare();
      let lost = 0;
      proxied.ofApi.decide = ({ application, sql }) =>
        application === POOL && sql === 'COMMIT' && lost++ === 0 ? 'answer lost' : 'pass';
      const { status } = await request();
      proxied.ofApi.decide = () => 'pass';
      expect([lost > 0, [200, 201, 207].includes(status)]).toEqual([true, true]);
    },
  );

  test('after all of it both processes are the ones that were started, and ready', async () => {
    for (const { pid, output } of proxied.processes) {
      expect(process.kill(pid, 0)).toBe(true);
      expect(output).not.toContain('"internal_error"');
    }
    await eventually(
      () => statuses('/health/ready'),
      (status) => status === 200,
    );
  });
});

describe('connections of a worker that are lost', () => {
  let proxied: Proxied;
  let run: PayoutRun;

  beforeAll(async () => {
    proxied = await startProxied();
    run = await beginRun(proxied);
  });
  afterAll(async () => {
    await stopProxied(proxied);
    await run.catcher.stop();
  });

  test('at random statements: everything is paid once, and told, by the process that was started', async () => {
    const seed = randomInt(2 ** 31);
    const random = seededRandom(seed);
    proxied.ofWorker.decide = ({ application }) => {
      if (application !== POOL || random() > 0.03) return 'pass';
      return random() < 0.5 ? 'ended before' : 'answer lost';
    };
    try {
      const pay = async (): Promise<string> => (await payUntilAnswered(run, 'mock:timeout')).body.id;
      const ids = await Promise.all(Array.from({ length: 40 }, pay));
      await cameToRest(proxied.databaseUrl);
      proxied.ofWorker.decide = () => 'pass';
      await expectPaidOnce(proxied.databaseUrl, run, ids);
      expect(process.kill(proxied.worker.pid, 0)).toBe(true);
    } catch (error) {
      throw new Error(`Seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  });
});
