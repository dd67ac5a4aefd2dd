/** How often a payout waits for PostgreSQL: what is asked together leaves together, and what is written leaves with the commit. */
import { POOL, type Proxied, startProxied, stopProxied } from '../harness/proxied';
import { type ApiClient, eventually } from '../harness/api';
import { prepaidClient } from '../harness/money';
import { beginRun, type PayoutRun } from '../harness/payout-run';

const MOST = 6;
const OF_A_WALLET = 2;
/** Follows the commit: nobody waits for it. */
const WAKES = /^\s*SELECT pg_notify/;
/** The pool makes another connection if all it has are still busy with that, and asks it this. It is no question of the payout. */
const FIRST_OF_A_CONNECTION = /\boldest_code\b/;

describe('a payout on a rail that settles at once', () => {
  let proxied: Proxied;
  let run: PayoutRun;
  beforeAll(async () => {
    proxied = await startProxied({ LOG_LEVEL: 'info' });
    run = await beginRun(proxied);
  });
  afterAll(async () => {
    await stopProxied(proxied);
    await run.catcher.stop();
  });

  /** Of its second payout: by then its payee, its client and its wallet are known. */
  const waitsOf = async (client: ApiClient): Promise<string[]> => {
    const payee = await client.payablePayee();
    await client.payout(payee.id);
    const waits: string[] = [];
    proxied.ofApi.decide = ({ sql, application, beginsRoundTrip }) => {
      if (beginsRoundTrip && application === POOL && !WAKES.test(sql) && !FIRST_OF_A_CONNECTION.test(sql))
        waits.push(sql);
      return 'pass';
    };
    const { body } = await client.payout(payee.id);
    proxied.ofApi.decide = () => 'pass';
    expect(body.status).toBe('paid');
    expect(waits.length).toBeGreaterThan(2);
    return waits;
  };

  test(`waits ${MOST} times at most, from its request to its answer`, async () => {
    expect((await waitsOf(run.client)).slice(MOST)).toEqual([]);
  });

  test(`and ${OF_A_WALLET} times more if it draws on a wallet, each time that this is locked`, async () => {
    const waits = await waitsOf(await prepaidClient(10_000));
    expect(waits.slice(MOST + OF_A_WALLET)).toEqual([]);
  });

  test('names its request where the rail is called', async () => {
    const payee = await run.client.payablePayee();
    const { body, headers } = await run.client.payout(payee.id);
    const lines = (): string[] => proxied.processes.flatMap(({ output }) => output.split('\n'));
    const called = await eventually(
      () => Promise.resolve(lines().find((line) => line.includes('"rail.called"') && line.includes(body.id))),
      (line) => line !== undefined,
    );
    expect(JSON.parse(called ?? '{}')).toMatchObject({ call: 'submit', requestId: headers.get('x-request-id') });
  });
});
