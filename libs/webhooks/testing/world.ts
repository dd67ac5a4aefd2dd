/** The webhooks feature with all it needs, on a database of its own. Jobs are run by hand, unless the queue is asked for. */
import { Global, Injectable, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { AuthModule, ClientRegistry, ClientStore, IssueCredentials } from '#libs/auth';
import { CONFIG } from '#libs/config';
import { Db, DbModule } from '#libs/db';
import { type EventType, newId } from '#libs/domain';
import { EventOutbox, EventsModule } from '#libs/events';
import { JOB_NAMES, JobsModule, OnJob } from '#libs/jobs';
import { setLogLevel } from '#libs/telemetry';
import { DELIVERY_LIMITS, type DeliveryLimits } from '../src/delivery';
import { EventReads } from '../src/db/event.reads';
import type { StoredEvent } from '../src/event';
import { WebhooksModule } from '../src/webhooks.module';
import { scratchDatabase } from '#libs/db/testing';

/** Every job has its handler; what other features do is not looked at here. */
@Injectable()
class OtherFeatures {}
for (const name of JOB_NAMES.filter((known) => !known.startsWith('event'))) {
  const method: PropertyDescriptor = { value: () => Promise.resolve(), configurable: true };
  OnJob(name)(OtherFeatures.prototype, name, method);
  Object.defineProperty(OtherFeatures.prototype, name, method);
}

@Global()
@Module({
  providers: [{ provide: CONFIG, useValue: { production: false, masterKeys: ['ab'.repeat(32)] } }, OtherFeatures],
  exports: [CONFIG],
})
class Surroundings {}

export interface WorldOptions {
  limits: DeliveryLimits;
  works?: boolean;
}

export async function startWorld({ limits, works = false }: WorldOptions): Promise<World> {
  setLogLevel('silent');
  const database = await scratchDatabase();
  const module = await Test.createTestingModule({
    imports: [
      Surroundings,
      DbModule.forRoot(database.url, 8),
      ScheduleModule.forRoot(),
      await JobsModule.forRoot({ redisUrl: null, works }),
      EventsModule,
      AuthModule,
      WebhooksModule,
    ],
  })
    .overrideProvider(DELIVERY_LIMITS)
    .useValue(limits)
    .compile();
  await module.init();
  return new World(module, database.drop);
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
    const id = newId();
    const client = await this.module.get(ClientStore).insert(id, {
      name: 'Acme',
      status: 'active',
      testMode: true,
      statusVersion: 1,
      scopes: [],
      webhookUrl,
      eventTypes: ['payout.status'],
      railAllowList: null,
      prepaid: false,
      defaultCurrency: 'USD',
      caps: {},
      floors: {},
      withdrawPolicy: {},
      rateLimitPerMinute: null,
      requireSignatureV2: false,
      coolDownSeconds: null,
    });
    if (!client) throw new Error('The client was not made.');
    return { id, secret: await this.newSecret(id) };
  }

  async newSecret(clientId: string): Promise<string> {
    const client = await this.module.get(ClientStore).find(clientId);
    if (!client) throw new Error('There is no such client.');
    return this.module.get(IssueCredentials).signingSecret(client, 3_600);
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
    return entityId;
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

  /** Seconds until the job is due; null where there is none. */
  async jobDueIn(name: string, entityId: string): Promise<number | null> {
    const job = await this.db.row<{ seconds: number }>(
      'SELECT extract(epoch FROM run_at - now())::float8 AS seconds FROM jobs WHERE name = $1 AND entity_id = $2',
      [name, entityId],
    );
    return job?.seconds ?? null;
  }

  /** As if so much time had passed for this event and its job. */
  async pass(eventId: string, seconds: number): Promise<void> {
    await this.db.execute(
      `UPDATE events SET created_at = created_at - $2 * interval '1 second', leased_until = leased_until - $2 * interval '1 second',
         next_attempt_at = next_attempt_at - $2 * interval '1 second' WHERE id = $1`,
      [eventId, seconds],
    );
  }
}
