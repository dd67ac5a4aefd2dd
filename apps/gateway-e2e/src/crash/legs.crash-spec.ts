/** kill -9 between any two steps of a payout that takes two calls: each call is made once, and the payout is paid. */
import { eventually } from '../harness/api';
import { query } from '../harness/database';
import { brokenInvariants } from '../harness/invariants';
import { beginRun, cameToRest, payUntilAnswered, type PayoutRun } from '../harness/payout-run';
import { POOL, type Proxied, startProxied, stopProxied } from '../harness/proxied';

/** What becomes true: at the rail, which keeps its ledger by statements of its own, and here. What is before a COMMIT is undone with it. */
const STEP = /rail_records|^COMMIT/;
/** While a payout waits for the next start, the worker goes on with what is due anyway. */
const MOST_STEPS = 14;

describe('kill -9 between the calls of a payout', () => {
  let proxied: Proxied;
  let run: PayoutRun;
  const ids: string[] = [];

  beforeAll(async () => {
    proxied = await startProxied();
    run = await beginRun(proxied);
  });
  afterAll(async () => {
    await stopProxied(proxied);
    await run.catcher.stop();
  });

  /** Pays, and kills the process before the n-th statement; false if there were not so many. */
  async function killedBefore(at: number, which: 'api' | 'worker'): Promise<boolean> {
    const [gateway, proxy] = which === 'api' ? [proxied.api, proxied.ofApi] : [proxied.worker, proxied.ofWorker];
    let statement = 0;
    let isDying = false;
    let restarted: Promise<void> | null = null;
    proxy.decide = ({ application, sql }) => {
      if (isDying) return 'silent';
      if (application !== POOL || restarted || !STEP.test(sql) || statement++ !== at) return 'pass';
      isDying = true;
      restarted = gateway.kill('SIGKILL').then(() => {
        isDying = false;
        return gateway.restart();
      });
      return 'silent';
    };
    const { body } = await payUntilAnswered(run, 'mock:two_legs');
    ids.push(body.id);
    await eventually(
      () => query<{ status: string }>(proxied.databaseUrl, 'SELECT status FROM payouts WHERE id = $1', [body.id]),
      ([payout]) => payout?.status === 'paid',
      60_000,
    );
    proxy.decide = () => 'pass';
    await restarted;
    return restarted !== null;
  }

  test.each([
    ['api', 3],
    ['worker', 4],
  ] as const)('of the %s', async (which, least) => {
    let at = 0;
    while (at < MOST_STEPS && (await killedBefore(at, which))) at += 1;
    process.stdout.write(`${which}: killed before each of ${at} statements\n`);
    expect(at).toBeGreaterThanOrEqual(least);
  });

  test('each was paid once, and each call has one key at the rail', async () => {
    await cameToRest(proxied.databaseUrl);
    const outcomes = await query<object>(proxied.databaseUrl, OUTCOMES, [ids]);
    expect(outcomes).toHaveLength(ids.length);
    for (const outcome of outcomes) expect(outcome).toEqual({ status: 'paid', payments: 1, legs: 1, paid: 1 });
    expect(await brokenInvariants({ clientId: run.client.id, dailyCents: 100_000_000 })).toEqual([]);
  });
});

const OUTCOMES = `
  SELECT payouts.status,
    (SELECT count(*)::int FROM rail_records WHERE key = 'payment:' || payouts.rail_key) AS payments,
    (SELECT count(*)::int FROM rail_records WHERE key LIKE 'leg:%' AND value ->> 'railKey' = payouts.rail_key) AS legs,
    (SELECT count(*)::int FROM payout_trail WHERE payout_id = payouts.id AND to_status = 'paid') AS paid
  FROM payouts WHERE id = ANY($1::uuid[])`;
