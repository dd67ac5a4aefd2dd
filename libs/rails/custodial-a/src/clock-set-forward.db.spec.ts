/**
 * What a rail counts minutes of is counted by the machine's clock (`systemClock`, handed to it by `RailsModule`), and decides about money:
 * ADR 54. A machine whose clock is behind sends; another one, or the same once its clock is set right, asks what became of that at rest.
 */
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { ClockModule } from '#libs/clock';
import { CONFIG } from '#libs/config';
import { DatabaseClock, DbModule } from '#libs/db';
import { scratchDatabase } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import { JobsModule } from '#libs/jobs';
import { idleHandlers } from '#libs/jobs/testing';
import type { Rail } from '#libs/rail-kit';
import { FixedClock } from '#libs/rail-kit/testing';
import { Rails, RailsModule } from '#libs/rail-registry';
import { setLogLevel } from '#libs/telemetry';
import { custodialA } from './custodial-a';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, type StripeWorld } from './open-rail.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
const EMPTY = { status: 200, body: { object: 'list', url: '/v1/transfers', data: [], has_more: false } };
const LISTS = { method: 'GET', path: '/v1/transfers' };
const QUARTER_MS = 900_000;

describe('custodial_a in a process whose machine has its clock set', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let world: StripeWorld;
  let module: TestingModule;
  let rail: Rail;

  beforeAll(async () => {
    setLogLevel('silent');
    database = await scratchDatabase();
    world = await stripeWorld(new FixedClock());
    const config = { production: false, deployment: 'spec', environment: world.settings };
    @Global()
    @Module({ providers: [{ provide: CONFIG, useValue: config }, idleHandlers(() => false)], exports: [CONFIG] })
    class Surroundings {}
    const jobs = await JobsModule.forRoot({ redisUrl: null, works: false });
    module = await Test.createTestingModule({
      imports: [Surroundings, DbModule.forRoot(database.url, 4), jobs, ClockModule, RailsModule.forRoot([custodialA])],
    }).compile();
    await module.init();
    rail = module.get(Rails, { strict: false }).find('custodial_a')?.rail as Rail;
  });
  afterAll(async () => {
    await module.close();
    await world.close?.();
    await database.drop();
  });
  afterEach(() => jest.restoreAllMocks());

  it('does not call missing at rest what was sent a moment ago by the database, whose answer is lost, and which Stripe does not list yet', async () => {
    const clock = module.get(DatabaseClock, { strict: false });
    const asked = newOrder();
    world.stripe.faults.ask({ effect: 'cut_after', match: { method: 'POST', path: '/v1/transfers' } });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await world.out?.(asked.railKey)).toBe(asked.amountCents);
    // A quarter of an hour, at once: a machine that is ahead asks, or this one's clock is set. By the database a moment passed.
    const before = clock.earliest().getTime();
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + QUARTER_MS));
    expect(clock.earliest().getTime() - before).toBeLessThan(QUARTER_MS / 2);
    world.stripe.faults.ask({ effect: 'answer', match: LISTS, answer: EMPTY });
    // `never_seen` lets its caller cancel it, or its rows leave under another code, and pay by other means what is out already.
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
  });
});
