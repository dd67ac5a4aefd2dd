/** A mail server may take a minute for each address of some clients: the mail of another client, as a link that a payee has just asked for, has a place. */
import { randomUUID } from 'node:crypto';
import { VersionGate } from '#libs/db';
import { happening, scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import type { JobHandlers } from './job-handlers';
import { JobPump } from './job-pump';
import { EmbeddedJobQueue } from './job-queue';
import { JobRunner } from './job-runner';
import { JobStore } from './job-store';
import type { Jobs } from './jobs';

const CLIENTS = 12;
const AT_A_TIME = 2;

describe('mails beside slow ones of other clients', () => {
  const [answered, allBegan, quickBegan] = [happening(), happening(), happening()];
  const slow = Array.from({ length: CLIENTS }, () => [randomUUID(), randomUUID()]);
  const quick = randomUUID();
  let scratch: ScratchDb;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    const store = new JobStore(scratch.db);
    let begun = 0;
    const handle = async (id: string): Promise<void> => {
      if (id === quick) return quickBegan.happens();
      if ((begun += 1) === CLIENTS * AT_A_TIME) allBegan.happens();
      await answered.promise;
    };
    const runner = new JobRunner(store, { of: () => handle } as unknown as JobHandlers, new VersionGate());
    runner.onModuleInit();
    const jobs = { onWork: () => undefined } as unknown as Jobs;
    const pump = new JobPump(store, new EmbeddedJobQueue(runner), jobs, runner, 200);
    pump.onApplicationBootstrap();
    stop = () => pump.beforeApplicationShutdown().then(() => runner.onApplicationShutdown());
  });
  afterAll(async () => {
    answered.happens();
    await stop();
    await scratch.drop();
  });

  const queue = (mails: string[]): Promise<unknown> =>
    scratch.db.execute(
      `INSERT INTO jobs (name, entity_id, lane, owner, run_at, created_at)
       SELECT 'mail.send', id, $2 || ' money_waiting', $2, now(), now() FROM unnest($1::uuid[]) AS mail (id)`,
      [mails, randomUUID()],
    );

  test('one of a client that has none under way has a place', async () => {
    for (const mails of slow) await queue(mails);
    await allBegan.promise;
    await queue([quick]);
    await quickBegan.promise;
  }, 60_000);
});
