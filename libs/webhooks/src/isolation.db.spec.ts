/** With the queue running: what bad receivers cost everybody else, and what rotating secrets costs anybody. */
import { Webhook } from 'standardwebhooks';
import { sameBytes, signV1 } from '#libs/domain';
import { type Received, Receiver } from '../testing/receiver';
import { startWorld, type World } from '../testing/world';
import { deliveryLimits } from './delivery';
import { REST_AFTER_FAILURES } from './schedule';

describe('webhooks of many clients', () => {
  jest.setTimeout(120_000);
  const bad = new Receiver();
  const good = new Receiver();
  let world: World;

  beforeAll(async () => {
    await Promise.all([bad.start(), good.start()]);
    world = await startWorld({ limits: { ...deliveryLimits, deadlineMs: 1_000 }, works: true });
  });
  afterAll(async () => {
    await Promise.all([bad.stop(), good.stop()]); // so that what hangs ends with it
    await world?.stop();
  });
  beforeEach(() => [bad, good].forEach((receiver) => receiver.reset()));

  it('arrive one by one where they should, while twelve receivers hang with sixty events each', async () => {
    bad.behave(() => undefined);
    const dead = await Promise.all(Array.from({ length: 12 }, () => world.client(bad.url)));
    const healthy = await world.client(good.url);
    await Promise.all(dead.map(({ id }) => world.payouts(id, 60)));
    await bad.got(32);
    for (let sent = 1; sent <= 10; sent += 1) {
      await world.events(healthy.id, 1);
      await good.got(sent);
    }
    // In one queue with the others they would have come after all of these.
    const waiting =
      "SELECT count(*)::int AS count FROM events WHERE client_id <> $1 AND status = 'pending' AND attempts = 0";
    expect((await world.db.row<{ count: number }>(waiting, [healthy.id]))?.count).toBeGreaterThan(
      12 * (60 - REST_AFTER_FAILURES - deliveryLimits.perClient),
    );
    await world.db.execute('DELETE FROM jobs');
  });

  it('are rested where they fail, and lose no attempt while they rest', async () => {
    const failing = await new Receiver().start(); // at a host of its own: nothing waits there for others
    failing.behave((response) => void response.writeHead(503).end());
    const client = await world.client(failing.url);
    await world.payouts(client.id, 60);
    const count = async (sql: string) => (await world.db.row<{ count: number }>(sql, [client.id]))?.count ?? 0;
    const early = `
      SELECT count(*)::int AS count FROM jobs JOIN receivers ON receivers.client_id::text = jobs.lane
      WHERE lane = $1 AND name = 'events.announce' AND run_at < resting_until`;
    await until(async () => (await world.receiverOf(client.id))?.rests === 1 && (await count(early)) === 0);
    const sent = failing.received.length;
    expect(sent).toBeLessThan(REST_AFTER_FAILURES + deliveryLimits.perClient);
    expect(await count('SELECT count(*)::int AS count FROM events WHERE client_id = $1 AND attempts = 0')).toBe(
      60 - sent,
    );
    expect(await count('SELECT sum(attempts)::int AS count FROM events WHERE client_id = $1')).toBe(sent);
    await world.db.execute('DELETE FROM jobs');
    await failing.stop();
  });

  it.each([204, 503])(
    'are written down while rows of another client, answered %i, are held for long',
    async (answer) => {
      const receiver = await new Receiver().start(); // at a host of its own: nothing waits there for others
      const [held, healthy] = [await world.client(receiver.url), await world.client(good.url)];
      const acknowledged = new Promise<() => void>((ready) => {
        const answers: (() => void)[] = [];
        receiver.behave((response) => {
          answers.push(() => void response.writeHead(answer).end());
          if (answers.length === 8) ready(() => answers.forEach((answer) => answer()));
        });
      });
      await world.payouts(held.id, 8);
      const answerAll = await acknowledged;
      const waiting = `SELECT pid || ' ' || query_start AS wait FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database() ORDER BY query_start`;
      const waits = async (): Promise<string[]> =>
        (await world.db.rows<{ wait: string }>(waiting)).map(({ wait }) => wait);
      const pending = `SELECT FROM events WHERE client_id = $1 AND status = 'pending'`;
      await world.db.inTransaction(async () => {
        await world.db.rows('UPDATE events SET created_at = created_at WHERE client_id = $1 RETURNING id', [held.id]);
        await world.db.outsideTransaction(async () => {
          answerAll();
          await until(async () => (await waits()).length > 0);
          const [first] = await waits();
          await world.events(healthy.id, 1);
          await until(async () => (await world.db.rows(pending, [healthy.id])).length === 0);
          // Whoever waited before still does: nobody gave up meanwhile.
          expect(await waits()).toContain(first);
        });
      });
      const unattempted = `${pending} AND attempts = 0`;
      await until(async () => (await world.db.rows(unattempted, [held.id])).length === 0);
      await world.db.execute('DELETE FROM jobs');
      await receiver.stop();
    },
  );

  it('verify with a secret that is valid then, however often it is rotated', async () => {
    const client = await world.client(good.url);
    const secrets = [client.secret];
    const events = world.payouts(client.id, 120);
    for (let turn = 1; turn <= 12; turn += 1) {
      secrets.push(await world.newSecret(client.id));
      await good.got(turn * 8);
    }
    await events;
    await good.got(120);
    await world.events(client.id, 1);
    await good.got(121);
    const verifies = ({ headers, body }: Received, secret: string): boolean => {
      const given = Buffer.from(String(headers['x-gw-signature']), 'hex');
      return sameBytes(given, signV1(secret, String(headers['x-gw-timestamp']), body));
    };
    for (const received of good.received) expect(secrets.some((secret) => verifies(received, secret))).toBe(true);
    const last = good.received.at(-1) as Received;
    expect(verifies(last, secrets.at(-1) as string)).toBe(true);
    // A receiver that knows only the secret before, with an off-the-shelf verifier, is served as well.
    const before = new Webhook(secrets.at(-2) as string);
    expect(() => before.verify(last.body, last.headers as Record<string, string>)).not.toThrow();
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()));
}
