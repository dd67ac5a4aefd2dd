/** A signing secret that is rotated every 2 s while payouts run: every delivery verifies with a secret that was valid then. */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#libs/domain';
import { ApiClient, operator } from '../harness/api';
import { beginRun, cameToRest, payUntilAnswered, type PayoutRun } from '../harness/payout-run';
import { startTopology, stopTopology, type Topology } from '../harness/topology';
import type { CaughtDelivery } from '../harness/webhook-catcher';

const SECONDS = Number(process.env.ROTATION_SECONDS ?? 20);
const EVERY_MS = 2_000;
const OVERLAP_SECONDS = 5;
const AT_ONCE = 4;
/** A timestamp is cut to its second, and an attempt may have been signed just before. */
const MARGIN_MS = 1_000;

interface Secret {
  secret: string;
  from: number;
  until: number;
}

describe('a secret that is rotated under load', () => {
  let topology: Topology;
  let run: PayoutRun;
  beforeAll(async () => {
    topology = await startTopology('embedded-4', { RATE_LIMIT_PER_MINUTE: '1000000' });
    run = await beginRun(topology);
  });
  afterAll(async () => {
    await stopTopology(topology);
    await run.catcher.stop();
  });

  test(`every 2 s for ${SECONDS} s`, async () => {
    const secrets: Secret[] = [{ secret: run.client.secret, from: 0, until: Infinity }];
    const until = performance.now() + SECONDS * 1_000;
    const pay = async (): Promise<number> => {
      let paid = 0;
      for (; performance.now() < until; paid += 1) expect((await payUntilAnswered(run)).body.status).toBe('paid');
      return paid;
    };
    const rotate = async (): Promise<void> => {
      for (; performance.now() < until; await pause(EVERY_MS)) await rotated(run, secrets);
    };
    const [, ...paid] = await Promise.all([rotate(), ...Array.from({ length: AT_ONCE }, pay)]);
    await cameToRest(topology.databaseUrl);
    const { received } = run.catcher;
    expect(received.length).toBeGreaterThanOrEqual(paid.reduce((sum, count) => sum + count, 0) * 4);
    expect(received.filter((delivery) => !secrets.some((secret) => signed(delivery, secret)))).toEqual([]);
    expect(secrets.length).toBeGreaterThan((SECONDS * 1_000) / EVERY_MS / 2);
    const used = new Set(received.map((delivery) => secrets.findIndex((secret) => signed(delivery, secret))));
    expect(used.size).toBeGreaterThanOrEqual(secrets.length - 1); // the last one may have come too late
  }, 300_000);
});

/** The new one signs from now on; requests may be signed with the old one while they overlap. */
async function rotated(run: PayoutRun, secrets: Secret[]): Promise<void> {
  const from = systemClock.now().getTime();
  const { body } = await operator('POST', `/clients/${run.client.id}/signing-secret`, {
    overlapSeconds: OVERLAP_SECONDS,
  });
  const last = secrets[secrets.length - 1] as Secret;
  last.until = systemClock.now().getTime() + OVERLAP_SECONDS * 1_000;
  secrets.push({ secret: body.signingSecret, from, until: Infinity });
  const { id, key, urls } = run.client;
  run.client = new ApiClient(id, key, body.signingSecret, urls);
}

/** By when it was signed: on a busy machine it may come in later. */
function signed({ headers, rawBody }: CaughtDelivery, { secret, from, until }: Secret): boolean {
  const at = Number(headers['x-gw-timestamp']) * 1_000;
  if (at < from - MARGIN_MS || at > until + MARGIN_MS) return false;
  const expected = createHmac('sha256', secret).update(`${headers['x-gw-timestamp']}.`).update(rawBody).digest('hex');
  return expected === headers['x-gw-signature'];
}
