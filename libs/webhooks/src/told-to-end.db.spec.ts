/** First attempts end with the one under way when a newer version takes the database over: it waits for what is under way, and all with it. */
import { VersionGate } from '#libs/db';
import { type Job, JobRunner } from '#libs/jobs';
import { Receiver } from '../testing/receiver';
import { setUpWorld } from '../testing/set-up-world';
import type { World } from '../testing/world';

describe('the events of one entity, while a newer version takes the database over', () => {
  const receiver = new Receiver();
  let world: World;
  setUpWorld(receiver, (started) => (world = started));
  afterEach(() => world.module.get(VersionGate, { strict: false }).set(false));

  test('are told up to the one under way, and the others later', async () => {
    const gate = world.module.get(VersionGate, { strict: false });
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 20);
    await world.takeJob('events.announce', payout);
    const job = (await world.db.row<Job>('SELECT * FROM jobs WHERE entity_id = $1', [payout])) as Job;
    receiver.behave((response) => {
      gate.set(true);
      response.end();
    });
    await world.module.get(JobRunner, { strict: false }).run(job);
    expect(receiver.received.length).toBeLessThanOrEqual(2);
    expect(await world.jobDueIn('events.announce', payout)).toBeLessThanOrEqual(1);
  }, 30_000);
});
