/** What happens to events whose first attempt failed: the schedule, its end, replays, and the net under it all. */
import { Webhook } from 'standardwebhooks';
import { systemClock } from '#libs/domain';
import { Receiver } from '../testing/receiver';
import { setUpWorld } from '../testing/set-up-world';
import type { World } from '../testing/world';
import { RecoverJob } from './jobs/recover.job';
import { RecoverDeliveries } from './use-cases/recover-deliveries';
import { ReplayEvents } from './use-cases/replay-events';

describe('later attempts', () => {
  jest.setTimeout(30_000);
  const receiver = new Receiver();
  let world: World;
  const announce = (entityId: string) => world.announce(entityId);
  const retry = (eventId: string) => world.retry(eventId);
  const refuse = () => receiver.behave((response) => void response.writeHead(503).end());

  setUpWorld(receiver, (started) => (world = started));

  /** A payout's only event, after its first attempt failed. */
  async function failedOnce(): Promise<{ clientId: string; payout: string; id: string }> {
    refuse();
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 1);
    await announce(payout);
    const { id } = await world.eventOf(payout);
    return { clientId: client.id, payout, id };
  }

  it('keeps the schedule: a minute, doubling, an hour at most, eight attempts in all', async () => {
    const { id, payout } = await failedOnce();
    const waits = [await world.jobDueIn('event.retry', id)];
    for (let attempt = 2; attempt <= 7; attempt += 1) {
      await world.pass(id, 3_601);
      const outcome = await retry(id);
      waits.push(outcome ? outcome.againInSeconds : null);
      expect(await world.eventOf(payout)).toMatchObject({ status: 'pending', attempts: attempt });
    }
    const promised = [60, 120, 240, 480, 960, 1_920, 3_600];
    for (const [index, least] of promised.entries()) {
      expect(waits[index]).toBeGreaterThan(least - 5); // the first was read from the table a moment later
      expect(waits[index]).toBeLessThanOrEqual(Math.min(least * 1.1, 3_600));
    }
    await world.pass(id, 3_601);
    expect(await retry(id)).toBeUndefined();
    const over = { status: 'failed', attempts: 8, lastStatusCode: 503, lastError: 'answered 503', nextAttemptAt: null };
    expect(await world.eventOf(payout)).toMatchObject(over);
    expect(receiver.received).toHaveLength(8);
    expect(await retry(id)).toBeUndefined();
    expect(receiver.received).toHaveLength(8);
  });

  it('signs each attempt anew with the newest secret, over the same bytes and the same id', async () => {
    const { clientId, id } = await failedOnce();
    const newest = await world.newSecret(clientId);
    await world.pass(id, 67);
    await retry(id);
    const [first, second] = receiver.received;
    const headers = second?.headers as Record<string, string>;
    expect(second?.body).toBe(first?.body);
    expect(headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(() => new Webhook(newest).verify(second?.body ?? '', headers)).not.toThrow();
  });

  it('stops when it is acknowledged', async () => {
    const { id, payout } = await failedOnce();
    receiver.reset();
    await world.pass(id, 67);
    expect(await retry(id)).toBeUndefined();
    expect(await world.eventOf(payout)).toMatchObject({ status: 'delivered', attempts: 2, lastError: null });
  });

  it('comes back later when it is asked too early', async () => {
    const { id } = await failedOnce();
    const outcome = await retry(id);
    expect(outcome?.againInSeconds).toBeGreaterThan(55);
    expect(receiver.received).toHaveLength(1);
  });

  describe('a replay', () => {
    it('starts over, with the same event id', async () => {
      const { id, payout } = await failedOnce();
      await world.db.execute(
        "UPDATE events SET status = 'failed', attempts = 8, next_attempt_at = NULL WHERE id = $1",
        [id],
      );
      receiver.reset();
      expect(await world.module.get(ReplayEvents).one(id)).toMatchObject({ id, status: 'pending', attempts: 0 });
      expect(await world.jobDueIn('events.announce', payout)).toBeLessThanOrEqual(0);
      await announce(payout);
      expect(receiver.received[0]?.headers['webhook-id']).toBe(id);
      expect(await world.eventOf(payout)).toMatchObject({ status: 'delivered', attempts: 1 });
    });

    it('leaves the event to one job, not two', async () => {
      const { id } = await failedOnce();
      await world.module.get(ReplayEvents).one(id);
      await world.pass(id, 3_601);
      expect(await retry(id)).toBeUndefined();
      expect(receiver.received).toHaveLength(1);
    });

    it('takes all of a client and a time, page by page', async () => {
      const client = await world.client(receiver.url);
      const other = await world.client(receiver.url);
      const payouts = await Promise.all([3, 300, 300].map((count) => world.events(client.id, count)));
      await world.events(other.id, 1);
      await world.db.execute("UPDATE events SET status = 'failed', attempts = 8 WHERE client_id = ANY($1)", [
        [client.id, other.id],
      ]);
      await world.db.execute("DELETE FROM jobs WHERE name = 'events.announce'");
      const choice = {
        clientId: client.id,
        status: 'failed',
        from: new Date(0),
        to: new Date(systemClock.now().getTime() + 60_000),
      } as const;
      const replay = world.module.get(ReplayEvents);
      const none = { replayed: 0, nextFrom: null };
      expect(await replay.all({ ...choice, to: new Date(1) })).toEqual(none);
      const some = await replay.all(choice, 550);
      expect(some).toEqual({ replayed: 550, nextFrom: expect.any(Date) as Date });
      expect(await replay.all({ ...choice, from: some.nextFrom as Date })).toEqual({ replayed: 53, nextFrom: null });
      expect(await replay.all(choice)).toEqual(none);
      for (const payout of payouts) expect(await world.jobDueIn('events.announce', payout)).not.toBeNull();
      const left = await world.db.rows("SELECT client_id FROM events WHERE status = 'failed' AND client_id = ANY($1)", [
        [client.id, other.id],
      ]);
      expect(left).toEqual([{ clientId: other.id }]);
    });

    it('refuses an event that is not there, and one that was never to be sent', async () => {
      const client = await world.client(receiver.url);
      await world.change(client.id, "event_types = '{}'");
      const skipped = await world.eventOf(await world.events(client.id, 1, false));
      const replay = world.module.get(ReplayEvents);
      await expect(replay.one('01890000-0000-7000-8000-000000000000')).rejects.toMatchObject({
        code: 'event_not_found',
      });
      await expect(replay.one(skipped.id)).rejects.toMatchObject({ code: 'event_not_replayable' });
      await world.change(client.id, "event_types = '{payout.status}'");
      expect(await replay.one(skipped.id)).toMatchObject({ status: 'pending' });
      await world.change(client.id, 'webhook_url = NULL');
      await expect(replay.one(skipped.id)).rejects.toMatchObject({ code: 'webhook_url_missing' });
    });
  });

  describe('the net', () => {
    const recover = () => world.module.get(RecoverDeliveries).run();
    beforeEach(() => world.db.execute('TRUNCATE events, jobs'));

    it('leaves alone what has its job', async () => {
      const { id } = await failedOnce();
      await world.pass(id, 3_600);
      const client = await world.client(receiver.url);
      await world.pass((await world.eventOf(await world.events(client.id, 1))).id, 3_600);
      expect(await recover()).toEqual({ announced: 0, retried: 0, moved: 0 });
    });

    it('gives jobs to events that lost theirs, once they are overdue', async () => {
      const { id, payout } = await failedOnce();
      await world.events((await world.client(receiver.url)).id, 2);
      await world.db.execute('DELETE FROM jobs');
      expect(await recover()).toEqual({ announced: 0, retried: 0, moved: 0 });
      await world.db.execute("UPDATE events SET created_at = created_at - interval '1 minute'");
      await world.pass(id, 120);
      await world.module.get(RecoverJob).run();
      const jobs = await world.db.rows('SELECT name FROM jobs ORDER BY name');
      expect(jobs).toEqual([{ name: 'event.retry' }, { name: 'events.announce' }]);
      receiver.reset();
      await retry(id);
      expect((await world.eventOf(payout)).status).toBe('delivered');
    });
  });
});
