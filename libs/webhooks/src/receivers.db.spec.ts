/** Receivers that do everything wrong, and what it costs: their own events a retry, and nobody else anything. */
import { randomUUID } from 'node:crypto';
import { metricsRegistry } from '#libs/telemetry';
import { hastyLimits } from '../testing/hasty-limits';
import { MISBEHAVIOUR } from '../testing/misbehaviour';
import { type Behaviour, Receiver } from '../testing/receiver';
import { setUpWorld } from '../testing/set-up-world';
import { startWorld, type World } from '../testing/world';
import { EventReads } from './db/event.reads';
import { ReceiverReads } from './db/receiver.reads';
import { HostSlots } from './host-slots';
import { REST_AFTER_FAILURES } from './schedule';
import { RecoverDeliveries } from './use-cases/recover-deliveries';
import { SendPing } from './use-cases/send-ping';

const refuse: Behaviour = (response) => void response.writeHead(500).end('no');

describe('receivers', () => {
  jest.setTimeout(30_000);
  const receiver = new Receiver();
  let world: World;
  const announce = (entityId: string) => world.announce(entityId);
  const retry = (eventId: string) => world.retry(eventId);
  const attemptsOf = (eventId: string) => world.module.get(EventReads).attemptsOf(eventId);

  setUpWorld(receiver, (started) => (world = started));

  /** A client whose receiver failed so often that it rests. */
  async function resting(): Promise<{ client: { id: string }; payout: string }> {
    receiver.behave(refuse);
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, REST_AFTER_FAILURES + 2);
    expect((await announce(payout))?.againInSeconds).toBeGreaterThan(55);
    return { client, payout };
  }

  describe('that misbehave', () => {
    it.each(Object.entries(MISBEHAVIOUR))('one that %s is tried again on schedule', async (_, { behave, ...told }) => {
      receiver.behave(behave);
      const client = await world.client(receiver.url);
      const payout = await world.events(client.id, 1);
      expect(await announce(payout)).toBeUndefined();
      const event = await world.eventOf(payout);
      expect(event).toMatchObject({ status: 'pending', attempts: 1, lastStatusCode: told.statusCode });
      const [attempt] = await attemptsOf(event.id);
      expect(attempt).toMatchObject({ number: 1, host: `127.0.0.1:${receiver.port}`, ...told });
      expect((attempt?.excerpt ?? '').length).toBeLessThanOrEqual(1_024);
      const due = (await world.jobDueIn('event.retry', event.id)) ?? 0;
      expect([due > 55, due <= 66]).toEqual([true, true]);

      receiver.reset();
      await world.pass(event.id, 67);
      await retry(event.id);
      expect(await world.eventOf(payout)).toMatchObject({ status: 'delivered', attempts: 2 });
      expect(receiver.received[0]?.headers['webhook-id']).toBe(event.id);
      expect(await world.receiverOf(client.id)).toBeNull();
    });

    it('one that disappeared is found again when it is back', async () => {
      const gone = await new Receiver().start();
      const { url, port } = gone;
      await gone.stop();
      const client = await world.client(url);
      const payout = await world.events(client.id, 1);
      await announce(payout);
      const { id } = await world.eventOf(payout);
      expect((await attemptsOf(id))[0]).toMatchObject({ error: 'connection_refused', statusCode: null, excerpt: null });
      await gone.start(port);
      await world.pass(id, 67);
      await retry(id);
      expect(gone.received[0]?.headers['webhook-id']).toBe(id);
      await gone.stop();
    });

    it('are told apart, attempt by attempt, over replays too', async () => {
      receiver.behave((response, _, nth) => void response.writeHead(nth === 1 ? 503 : 200).end(`answer ${nth}\0`));
      const client = await world.client(receiver.url);
      const payout = await world.events(client.id, 1);
      await announce(payout);
      const { id } = await world.eventOf(payout);
      await world.pass(id, 67);
      await retry(id);
      await world.db.execute("UPDATE events SET status = 'pending', attempts = 0 WHERE id = $1", [id]);
      await announce(payout);
      expect(await attemptsOf(id)).toMatchObject([
        { number: 3, statusCode: 200, error: null, excerpt: 'answer 3\ufffd' },
        { number: 2, statusCode: 200, error: null, excerpt: 'answer 2\ufffd' },
        { number: 1, statusCode: 503, error: 'not_2xx', excerpt: 'answer 1\ufffd' },
      ]);
    });
  });

  describe('that keep failing', () => {
    it('are left alone after so many failures in a row, and the events lose no attempt by it', async () => {
      const { client, payout } = await resting();
      expect(receiver.received).toHaveLength(REST_AFTER_FAILURES);
      const known = await world.receiverOf(client.id);
      expect(known).toMatchObject({ consecutiveFailures: REST_AFTER_FAILURES, rests: 1 });
      expect(known?.restSeconds).toBeGreaterThan(55);

      const [first, ...rest] = await world.eventsOf(payout);
      await world.pass(first?.id ?? '', 67);
      expect((await retry(first?.id ?? ''))?.againInSeconds).toBeGreaterThan(50);
      expect((await announce(payout))?.againInSeconds).toBeGreaterThan(50);
      expect(receiver.received).toHaveLength(REST_AFTER_FAILURES);
      expect((await world.module.get(EventReads).find(first?.id ?? ''))?.attempts).toBe(1);
      expect(rest.slice(-2).map(({ attempts, status }) => [attempts, status])).toEqual([
        [0, 'pending'],
        [0, 'pending'],
      ]);
      expect(rest.at(-1)?.nextAttemptAt).not.toBeNull();
    });

    it('tell the operator', async () => {
      const { client } = await resting();
      const found = await world.module.get(ReceiverReads).resting(null, 100);
      expect(found.find(({ clientId }) => clientId === client.id)).toMatchObject({
        host: `127.0.0.1:${receiver.port}`,
        lastStatusCode: 500,
        lastError: 'answered 500',
        rests: 1,
        restingUntil: expect.any(Date) as Date,
      });
      const metrics = await metricsRegistry.metrics();
      expect(metrics).toMatch(/^gw_receiver_rests_total [1-9]/m);
      expect(metrics).toMatch(/^gw_receivers_resting [1-9]/m);
      const [newest, ...older] = found;
      expect(await world.module.get(ReceiverReads).resting(newest ?? null, 100)).toEqual(older);
    });

    it('get one probe after the rest; where it fails, a longer rest', async () => {
      const { client, payout } = await resting();
      const others = await Promise.all([1, 2, 3].map(() => world.events(client.id, 1)));
      receiver.behave((response, _, nth) => nth > REST_AFTER_FAILURES + 1 && void response.end());
      await world.rest(client.id, 120);
      const [outcome] = await Promise.all([payout, ...others].map(announce));
      expect(receiver.received).toHaveLength(REST_AFTER_FAILURES + 1);
      expect(outcome?.againInSeconds).toBeGreaterThan(0);
      expect(await world.receiverOf(client.id)).toMatchObject({ rests: 2 });
      expect((await world.receiverOf(client.id))?.restSeconds).toBeGreaterThan(110);
    });

    it('never rest longer than an hour', async () => {
      const { client, payout } = await resting();
      await world.db.execute('UPDATE receivers SET rests = 40 WHERE client_id = $1', [client.id]);
      await world.rest(client.id, 120);
      await announce(payout);
      const seconds = (await world.receiverOf(client.id))?.restSeconds ?? 0;
      expect([seconds > 3_590, seconds <= 3_600]).toEqual([true, true]);
    });

    it('are as good as any once a probe is acknowledged', async () => {
      const { client, payout } = await resting();
      receiver.reset();
      await world.rest(client.id, 120);
      expect(await announce(payout)).toBeUndefined();
      expect(receiver.received).toHaveLength(2);
      expect(await world.receiverOf(client.id)).toBeNull();
    });

    it('are probed by another where the probing process died', async () => {
      const { client, payout } = await resting();
      receiver.reset();
      await world.rest(client.id, 120);
      await world.db.execute("UPDATE receivers SET resting_until = now() + interval '5 s' WHERE client_id = $1", [
        client.id,
      ]);
      const wait = (await announce(payout))?.againInSeconds ?? 0;
      expect([wait > 0, wait <= 6]).toEqual([true, true]);
      await world.rest(client.id, 6);
      expect(await announce(payout)).toBeUndefined();
    });

    it('start afresh with another URL, even on the same host, and what waited goes out', async () => {
      const { client, payout } = await resting();
      receiver.reset();
      await world.db.execute("UPDATE jobs SET run_at = now() + interval '1 hour'");
      await world.change(client.id, `webhook_url = '${receiver.url}/moved'`);
      expect(await world.module.get(RecoverDeliveries).run()).toMatchObject({ moved: 1 });
      expect(await world.receiverOf(client.id)).toBeNull();
      const [first] = await world.eventsOf(payout);
      expect(await world.jobDueIn('event.retry', first?.id ?? '')).toBeLessThanOrEqual(0);
      expect(await world.jobDueIn('events.announce', payout)).toBeLessThanOrEqual(0);
      expect(await announce(payout)).toBeUndefined();
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks/moved', '/hooks/moved']);
    });

    it('are not held to what was known of the old URL before anybody looked', async () => {
      const { client, payout } = await resting();
      receiver.behave((response, { path }) => void response.writeHead(path.endsWith('moved') ? 503 : 200).end());
      await world.change(client.id, `webhook_url = '${receiver.url}/moved'`);
      expect(await announce(payout)).toBeUndefined();
      expect(await world.receiverOf(client.id)).toMatchObject({ consecutiveFailures: 2, rests: 0, restSeconds: null });
    });

    it('are well again when they acknowledge a ping, and get what waited', async () => {
      const { client, payout } = await resting();
      const known = await world.settings(client.id);
      expect(await world.module.get(SendPing).run(known)).toMatchObject({
        outcome: { kind: 'failed', statusCode: 500 },
      });
      expect(await world.receiverOf(client.id)).toMatchObject({ consecutiveFailures: REST_AFTER_FAILURES });
      receiver.reset();
      expect(await world.module.get(SendPing).run(known)).toMatchObject({ outcome: { kind: 'delivered' } });
      expect(await world.receiverOf(client.id)).toBeNull();
      expect(await world.jobDueIn('events.announce', payout)).toBeLessThanOrEqual(0);
    });

    it('are forgiven each failure by the next acknowledgement, and one client has no part in another', async () => {
      receiver.behave((response, _, nth) => void response.writeHead(nth % 3 === 0 ? 200 : 500).end());
      const client = await world.client(receiver.url);
      await announce(await world.events(client.id, 30));
      expect(receiver.received).toHaveLength(30);
      expect(await world.receiverOf(client.id)).toBeNull();

      await resting();
      receiver.reset();
      const neighbour = await world.client(receiver.url);
      expect(await announce(await world.events(neighbour.id, 2))).toBeUndefined();
      expect(receiver.received).toHaveLength(2);
    });
  });

  it('of one host get no more at a time than it has room for; the others wait without losing an attempt', async () => {
    const crowded = await startWorld({ limits: { ...hastyLimits, perHost: 2, perClient: 2, slotWaitMs: 50 } });
    receiver.behave(() => undefined);
    const clients = await Promise.all(
      Array.from({ length: 6 }, () => crowded.client(`${receiver.url}/${randomUUID()}`)),
    );
    const payouts = await Promise.all(clients.map(({ id }) => crowded.events(id, 1)));
    const outcomes = await Promise.all(payouts.map((payout) => crowded.announce(payout)));
    expect(receiver.received).toHaveLength(4);
    expect(outcomes.filter((outcome) => (outcome?.againInSeconds ?? 0) >= 1)).toHaveLength(2);
    const events = await Promise.all(payouts.map((payout) => crowded.eventOf(payout)));
    expect(events.map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1, 1, 1, 1]);
    receiver.reset();
    for (const payout of payouts) expect(await crowded.announce(payout)).toBeUndefined();
    expect(receiver.received).toHaveLength(2);
    await crowded.stop();
  });

  it('that are put to rest are left alone by those as well that waited for room', async () => {
    const narrow = await startWorld({ limits: { ...hastyLimits, perClient: 1, slotWaitMs: 20_000 } });
    let answer: () => void = () => undefined;
    const client = await narrow.client(receiver.url);
    receiver.behave(refuse);
    await narrow.announce(await narrow.events(client.id, REST_AFTER_FAILURES - 1));
    receiver.behave((response, received, nth) => void (answer = () => refuse(response, received, nth)));
    const taking = jest.spyOn(narrow.module.get(HostSlots), 'take');
    const last = narrow.events(client.id, 1).then((payout) => narrow.announce(payout));
    await receiver.got(REST_AFTER_FAILURES);
    const payout = await narrow.events(client.id, 1);
    const waiting = narrow.announce(payout);
    while (taking.mock.calls.length < 2) await new Promise(setImmediate);
    answer();
    await last;
    expect((await waiting)?.againInSeconds).toBeGreaterThan(55);
    expect(receiver.received).toHaveLength(REST_AFTER_FAILURES);
    expect(await narrow.eventOf(payout)).toMatchObject({ status: 'pending', attempts: 0 });
    await narrow.stop();
  });

  it('that are busy with others are not pinged, and the client is asked to try again', async () => {
    const narrow = await startWorld({ limits: { ...hastyLimits, perClient: 1, slotWaitMs: 0 } });
    const { id } = await narrow.client(receiver.url);
    const { host } = new URL(receiver.url);
    const held = await narrow.module.get(HostSlots).take(host, id);
    const known = await narrow.settings(id);
    const ping = () => narrow.module.get(SendPing).run(known);
    await expect(ping()).rejects.toMatchObject({ code: 'service_unavailable' });
    held?.giveBack();
    expect(await ping()).toMatchObject({ outcome: { kind: 'delivered' } });
    await narrow.stop();
  });
});
