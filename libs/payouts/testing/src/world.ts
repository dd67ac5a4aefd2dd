/**
 * Payouts with all they need, on a database of their own, over rails whose answers the spec decides. Jobs are run by hand,
 * as by as many workers as a spec wants: each holds a lease, and loses it when another takes the job.
 */
import { randomUUID } from 'node:crypto';
import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { FailedAttempts } from '#libs/auth';
import { type Client, ClientRegistry, ClientsModule, KeepClients } from '#libs/clients';
import { ClockModule } from '#libs/clock';
import { CONFIG } from '#libs/config';
import { Db, DbModule } from '#libs/db';
import { PostgresProxy, scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { EventsModule } from '#libs/events';
import { type HeldJob, type Job, type JobName, type JobOutcome, JobRunner, JobsModule } from '#libs/jobs';
import { idleHandlers } from '#libs/jobs/testing';
import { AdoptMethod, ChangeRoutes, type Payee, PayeesModule, UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { defineRail, type RailTraits, TEST_RAIL } from '#libs/rail-kit';
import { RailsModule } from '#libs/rail-registry';
import { setLogLevel } from '#libs/telemetry';
import { PayoutReads } from '../../src/db/payout.reads';
import { DrivePayoutJob } from '../../src/jobs/drive-payout.job';
import { SelfReleaseJobs } from '../../src/jobs/self-release.job';
import { PayoutsModule } from '../../src/payouts.module';
import { CreatePayouts } from '../../src/use-cases/create-payouts';
import { ScriptedRail } from './scripted-rail';

const config = {
  production: false,
  masterKeys: ['ab'.repeat(32)],
  deployment: 'spec',
  publicUrl: 'https://pay.example',
  singleCapCents: 1_000_000_000,
  dailyCapCents: 10_000_000_000,
  mailsPerAddress: 1_000,
  mailsPerClient: 1_000_000,
  eventsKeptDays: 90,
  mailsKeptDays: 365,
  noticesKeptDays: 30,
  environment: {},
};

const AT_ONCE = { custody: 'claim', settles: 'at_once', releasesOwed: 'on_withdraw' } as const;
const TRAITS: Record<string, Pick<RailTraits, 'custody' | 'settles' | 'releasesOwed'>> = {
  custodial_a: { custody: 'custodial', settles: 'later', releasesOwed: 'on_payable' },
  claim_rail: { custody: 'claim', settles: 'later', releasesOwed: 'on_withdraw' },
  swap_rail: { custody: 'swap', settles: 'later', releasesOwed: 'on_credit' },
  at_once: AT_ONCE,
  at_once_account: { custody: 'custodial', settles: 'at_once', releasesOwed: 'on_withdraw' },
};
const RETENTION_SECONDS = 3600;
const ANYWHERE = {
  countries: '*',
  currencies: '*',
  floorCents: 100,
  amounts: { GBP: { leastCents: 200, mostCents: 900_000, stepCents: 5 } },
  returns: { withinSeconds: 10 * 86_400, listed: false },
} as const;

/** By country, so that a payee's country chooses the rail. */
const ROUTES = { FR: 'custodial_a', DE: 'claim_rail', IT: 'swap_rail', ES: 'at_once' };

export interface MoneyWorldOptions {
  /** Features that stand on payouts, and the jobs that they do. */
  also?: (Type | DynamicModule)[];
  does?: (name: JobName) => boolean;
  /** With a rail for clients in test mode, which settles at once and is scripted as the others are. */
  testRail?: boolean;
  /** Behind a proxy, with which the spec ends connections. Others do without: each statement takes twice as long by it. */
  proxied?: boolean;
}

export async function startMoneyWorld({
  also = [],
  does = () => false,
  testRail = false,
  proxied = false,
}: MoneyWorldOptions = {}): Promise<MoneyWorld> {
  setLogLevel('silent');
  const database = await scratchDatabase();
  const proxy = proxied ? await PostgresProxy.start(database.url) : null;
  const rail = new ScriptedRail();
  const traits = testRail ? { ...TRAITS, [TEST_RAIL]: AT_ONCE } : TRAITS;
  const definitions = Object.entries(traits).map(([name, ofRail]) =>
    defineRail({
      name,
      traits: { ...ANYWHERE, ...ofRail, keyRetentionSeconds: RETENTION_SECONDS },
      settings: [],
      create: () => rail.named(name),
    }),
  );
  const own = (name: JobName): boolean =>
    name.startsWith('payout') || name.startsWith('payees') || name === 'mail.send' || does(name);

  @Global()
  @Module({
    providers: [{ provide: CONFIG, useValue: config }, FailedAttempts, idleHandlers(own)],
    exports: [CONFIG, FailedAttempts],
  })
  class Surroundings {}

  const module = await Test.createTestingModule({
    imports: [
      Surroundings,
      DbModule.forRoot(proxy?.url ?? database.url, 12),
      await JobsModule.forRoot({ redisUrl: null, works: false }),
      EventsModule,
      ClockModule,
      ClientsModule,
      RailsModule.forRoot(definitions),
      PayeesModule,
      PayoutsModule,
      ...also,
    ],
  }).compile();
  await module.init();
  const world = new MoneyWorld(module, rail, database, proxy);
  await module
    .get(ChangeRoutes, { strict: false })
    .run(() => Object.entries(ROUTES).map(([country, name]) => ({ country, rails: [name], blocked: false })));
  return world;
}

export class MoneyWorld {
  readonly db = this.module.get(Db);
  private readonly begun: Promise<unknown>[] = [];

  constructor(
    readonly module: TestingModule,
    readonly rail: ScriptedRail,
    readonly database: ScratchDatabase,
    private readonly between: PostgresProxy | null,
  ) {}

  get proxy(): PostgresProxy {
    if (!this.between) throw new Error('Start this world with `proxied: true`.');
    return this.between;
  }

  /** What a spec does not wait for, the world does before it ends. */
  later(work: Promise<unknown>): void {
    this.begun.push(work);
  }

  async stop(): Promise<void> {
    this.rail.letGo();
    await Promise.allSettled(this.begun);
    await this.module.close();
    await this.between?.stop();
    await this.database.drop();
  }

  get<T>(type: Type<T>): T {
    return this.module.get(type, { strict: false });
  }

  client(settings: Partial<Client> = {}): Promise<Client> {
    return this.get(KeepClients).create({ name: 'Acme', scopes: [], eventTypes: [], ...settings });
  }

  async setStatus(client: Client, status: Client['status']): Promise<void> {
    await this.db.execute('UPDATE clients SET status = $2 WHERE id = $1', [client.id, status]);
    this.get(ClientRegistry).changed(client.id);
  }

  /** Whether it wants its payees checked. */
  async wants({ id }: Client, checksPayees: boolean): Promise<void> {
    await this.db.inTransaction(() => this.get(KeepClients).change(id, { checksPayees }));
  }

  payee(client: Client, fields: Partial<Payee> = {}): Promise<Payee> {
    const { externalId = randomUUID(), email = 'ada@example.com', name = 'Ada Lovelace', country = 'DE' } = fields;
    return this.get(UpsertPayee).run(client, { externalId, email, name, country });
  }

  /** Payees of the country go over this rail from now on; `payees.resolve` writes that down. */
  route(country: string, rail: string): Promise<unknown> {
    return this.get(ChangeRoutes).run((before) => [
      ...before.filter((route) => route.country !== country),
      { country, rails: [rail], blocked: false },
    ]);
  }

  async adopt(
    client: Client,
    payee: Payee,
    account = `acct_${randomUUID()}`,
    provider = 'custodial_a',
  ): Promise<string> {
    await this.get(AdoptMethod).run(client, payee.id, { provider, providerAccountId: account });
    return account;
  }

  async pay(client: Client, payee: Payee, amountCents = 1_000, idempotencyKey: string = randomUUID()): Promise<Payout> {
    const intent = { client, payeeId: payee.id, amountCents, currency: 'USD', idempotencyKey };
    const more = { ref: null, reason: null, metadata: {}, source: 'payout', actor: 'client' } as const;
    return (await this.get(CreatePayouts).run({ ...intent, ...more })).payout;
  }

  async payout(id: string): Promise<Payout> {
    const payout = await this.get(PayoutReads).find(id);
    if (!payout) throw new Error(`There is no payout ${id}.`);
    return payout;
  }

  async status(id: string): Promise<string> {
    return (await this.payout(id)).status;
  }

  /** Once something that goes on by itself brought the payout there. */
  async until(id: string, status: string): Promise<void> {
    while ((await this.status(id)) !== status) await new Promise((resolve) => setImmediate(resolve));
  }

  /** A worker takes the job, whoever had it before: that one's lease has lapsed. */
  async takeJob(entityId: string, name: JobName = 'payout.drive'): Promise<HeldJob> {
    const job = await this.db.row<HeldJob>(
      `UPDATE jobs SET lease_token = gen_random_uuid(), run_at = now() + interval '6 seconds'
       WHERE name = $1 AND entity_id = $2 RETURNING name, entity_id, lease_token`,
      [name, entityId],
    );
    if (!job) throw new Error(`There is no job ${name} of ${entityId}.`);
    return job;
  }

  /** What a worker does with the job it took. */
  async drive(payoutId: string, job?: HeldJob): Promise<JobOutcome> {
    const held = job ?? (await this.takeJob(payoutId));
    return this.get(DrivePayoutJob).drive(payoutId, 1, held);
  }

  /** A worker takes the job, does it, and writes down how it went. */
  async work(name: JobName, entityId: string): Promise<void> {
    const { leaseToken } = await this.takeJob(entityId, name);
    const job = await this.db.row<Job>('SELECT *, false AS lapsed FROM jobs WHERE lease_token = $1', [leaseToken]);
    await this.get(JobRunner).run(job as Job);
  }

  /** What a worker does once a wallet of the client got more. */
  funded(clientId: string): Promise<JobOutcome> {
    return this.get(SelfReleaseJobs).afterFunding(clientId, 1, { signal: new AbortController().signal });
  }

  /** The same of a job that asks what became of a payout. */
  async look(payoutId: string): Promise<void> {
    await this.takeJob(payoutId, 'payout.look');
    const job = await this.db.row<Job>(`SELECT * FROM jobs WHERE name = 'payout.look' AND entity_id = $1`, [payoutId]);
    await this.get(DrivePayoutJob).look(payoutId, 1, job as Job);
  }

  /** And of one that asks once more about a payout that came to rest. */
  async lookOnceMore(payoutId: string): Promise<JobOutcome> {
    await this.takeJob(payoutId, 'payout.second_look');
    return this.get(DrivePayoutJob).lookOnceMore(payoutId, 1);
  }

  /** As if that long had passed since the payout was last sent. */
  async age(payoutId: string, seconds: number): Promise<void> {
    const payout = await this.payout(payoutId);
    const openAttempts = payout.openAttempts.map((open) => ({
      ...open,
      takenAt: new Date(Date.parse(open.takenAt) - seconds * 1000).toISOString(),
    }));
    const earlier = (at: string | null) => at && new Date(Date.parse(at) - seconds * 1000).toISOString();
    const legs = payout.legs.map((leg) => ({
      ...leg,
      firstSentAt: earlier(leg.firstSentAt),
      notBefore: earlier(leg.notBefore),
    }));
    await this.db.execute(
      `UPDATE payouts SET open_attempts = $2, legs = $4, code_since = code_since - $3::float8 * interval '1 second',
         submitted_at = submitted_at - $3::float8 * interval '1 second' WHERE id = $1`,
      [payoutId, JSON.stringify(openAttempts), seconds, JSON.stringify(legs)],
    );
  }
}
