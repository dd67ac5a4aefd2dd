/**
 * The webhooks feature with all it needs, on a database of its own. Jobs are run by hand, unless the queue is asked for;
 * what a schedule does is always done by hand.
 */
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { type EventType, newId } from '#libs/domain';
import { type Client, ClientRegistry, ClientReads, ClientsModule, IssueCredentials, KeepClients } from '#libs/clients';
import { ClockModule } from '#libs/clock';
import { CONFIG } from '#libs/config';
import { Db, DbModule } from '#libs/db';
import { EventOutbox, EventsModule } from '#libs/events';
import { type HeldJob, type JobName, type JobOutcome, JobsModule } from '#libs/jobs';
import { idleHandlers } from '#libs/jobs/testing';
import { setLogLevel } from '#libs/telemetry';
import { DELIVERY_LIMITS, type DeliveryLimits } from '../src/delivery';
import { EventReads } from '../src/db/event.reads';
import type { StoredEvent } from '../src/event';
import { LOOK_UP, lookUpFor } from '../src/egress';
import type { LookUp } from '../src/look-up';
import { AnnounceJob } from '../src/jobs/announce.job';
import { RetryJob } from '../src/jobs/retry.job';
import { hastyLimits } from './hasty-limits';
import { WebhooksModule } from '../src/webhooks.module';
import { scratchDatabase } from '#libs/db/testing';

const config = { production: false, masterKeys: ['ab'.repeat(32)], publicUrl: 'https://pay.example' };

@Global()
@Module({
  providers: [{ provide: CONFIG, useValue: config }, idleHandlers((name) => name.startsWith('event'))],
  exports: [CONFIG],
})
class Surroundings {}

export interface WorldOptions {
  limits?: DeliveryLimits;
  works?: boolean;
  production?: boolean;
  lookUp?: LookUp;
}

export async function startWorld({
  limits = hastyLimits,
  works = false,
  production = false,
  lookUp,
}: WorldOptions = {}): Promise<World> {
  setLogLevel('silent');
  const database = await scratchDatabase();
  const module = await Test.createTestingModule({
    imports: [
      Surroundings,
      DbModule.forRoot(database.url, 8),
      await JobsModule.forRoot({ redisUrl: null, works }),
      EventsModule,
      ClockModule,
      ClientsModule,
      WebhooksModule,
    ],
  })
    .overrideProvider(DELIVERY_LIMITS)
    .useValue(limits)
    .overrideProvider(CONFIG)
    .useValue({ ...config, production })
    .overrideProvider(LOOK_UP)
    .useValue(lookUp ?? lookUpFor({ production }))
    .compile();
  await module.init();
  return new World(module, database.drop);
}

export interface KnownReceiver {
  host: string;
  consecutiveFailures: number;
  rests: number;
  /** Negative if the rest is over. */
  restSeconds: number | null;
}

export class World {
  readonly db = this.module.get(Db);

  constructor(
    readonly module: TestingModule,
    private readonly drop: () => Promise<void>,
  ) {}

  async stop(): Promise<void> {
    await this.module.close();
    await this.drop();
  }

  async client(webhookUrl: string | null): Promise<{ id: string; secret: string }> {
    const wanted = { name: 'Acme', testMode: true, scopes: [], eventTypes: ['payout.status' as const] };
    const { id } = await this.module.get(KeepClients).create({ ...wanted, webhookUrl });
    return { id, secret: await this.newSecret(id) };
  }

  async settings(clientId: string): Promise<Client> {
    const client = await this.module.get(ClientReads).find(clientId);
    if (!client) throw new Error('There is no such client.');
    return client;
  }

  async newSecret(clientId: string): Promise<string> {
    return this.module.get(IssueCredentials).signingSecret(await this.settings(clientId), 3_600);
  }

  async change(clientId: string, assignments: string): Promise<void> {
    await this.db.execute(`UPDATE clients SET ${assignments} WHERE id = $1`, [clientId]);
    this.module.get(ClientRegistry).changed(clientId);
  }

  /** Records as many events of one new payout; answers the payout's id. */
  async events(clientId: string, count: number, subscribed = true): Promise<string> {
    const entityId = newId();
    const type: EventType = 'payout.status';
    const payload = { transactionId: entityId, note: 'größer "als" €' };
    const made = Array.from({ length: count }, (_, index) => ({
      ...{ clientId, type, entityId, subscribed, payload },
      sequence: index + 1,
    }));
    await this.db.inTransaction(() => this.module.get(EventOutbox).append(made));
    // As they stand if their client was not subscribed at that time.
    if (!subscribed) await this.db.execute(`UPDATE events SET status = 'skipped' WHERE entity_id = $1`, [entityId]);
    return entityId;
  }

  /** Records one event of each of so many new payouts, in one transaction. */
  payouts(clientId: string, count: number): Promise<void> {
    return this.db.inTransaction(async () => {
      for (let made = 0; made < count; made += 1) await this.events(clientId, 1);
    });
  }

  async eventsOf(entityId: string): Promise<StoredEvent[]> {
    const ids = await this.db.rows<{ id: string }>('SELECT id FROM events WHERE entity_id = $1 ORDER BY sequence', [
      entityId,
    ]);
    const found = await Promise.all(ids.map(({ id }) => this.module.get(EventReads).find(id)));
    return found.filter((event) => event !== null);
  }

  /** The only event of a payout. */
  async eventOf(entityId: string): Promise<StoredEvent> {
    const [event] = await this.eventsOf(entityId);
    if (!event) throw new Error('There is no such event.');
    return event;
  }

  /** A worker takes the job, there or not: whoever had it before has no say any more. */
  async takeJob(name: JobName, entityId: string): Promise<HeldJob> {
    const job = await this.db.row<HeldJob>(
      `INSERT INTO jobs AS job (name, entity_id, lane, lease_token) VALUES ($1, $2, 'spec', gen_random_uuid())
       ON CONFLICT (name, entity_id) DO UPDATE SET lease_token = excluded.lease_token RETURNING name, entity_id, lease_token`,
      [name, entityId],
    );
    return job as HeldJob;
  }

  announce(entityId: string): Promise<JobOutcome> {
    const { signal } = new AbortController();
    return this.underJob('events.announce', entityId, (job) =>
      this.module.get(AnnounceJob).run(entityId, 1, { ...job, signal }),
    );
  }

  retry(eventId: string): Promise<JobOutcome> {
    return this.underJob('event.retry', eventId, (job) => this.module.get(RetryJob).run(eventId, 1, job));
  }

  /** The job is left as it was. */
  private async underJob(
    name: JobName,
    entityId: string,
    work: (job: HeldJob) => Promise<JobOutcome>,
  ): Promise<JobOutcome> {
    const job = await this.takeJob(name, entityId);
    const outcome = await work(job);
    await this.db.execute('UPDATE jobs SET lease_token = NULL WHERE lease_token = $1', [job.leaseToken]);
    return outcome;
  }

  /** Seconds until the job is due; null if there is none. */
  async jobDueIn(name: string, entityId: string): Promise<number | null> {
    const job = await this.db.row<{ seconds: number }>(
      'SELECT extract(epoch FROM run_at - now())::float8 AS seconds FROM jobs WHERE name = $1 AND entity_id = $2',
      [name, entityId],
    );
    return job?.seconds ?? null;
  }

  /** What is known of a client's receiver; null if nothing is wrong with it. */
  receiverOf(clientId: string): Promise<KnownReceiver | null> {
    return this.db.row<KnownReceiver>(
      `SELECT host, consecutive_failures, rests, extract(epoch FROM resting_until - now())::float8 AS rest_seconds
       FROM receivers WHERE client_id = $1`,
      [clientId],
    );
  }

  /** As if so much time had passed for this client's receiver. */
  async rest(clientId: string, seconds: number): Promise<void> {
    await this.db.execute(
      "UPDATE receivers SET resting_until = resting_until - $2 * interval '1 second' WHERE client_id = $1",
      [clientId, seconds],
    );
  }

  /** As if so much time had passed for this event. */
  async pass(eventId: string, seconds: number): Promise<void> {
    await this.db.execute(
      `UPDATE events SET created_at = created_at - $2 * interval '1 second',
         next_attempt_at = next_attempt_at - $2 * interval '1 second' WHERE id = $1`,
      [eventId, seconds],
    );
  }
}
