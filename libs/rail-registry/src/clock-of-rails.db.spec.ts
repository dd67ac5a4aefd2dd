/**
 * A rail counts for how long a call may still arrive, and for how long a list may lag: by the database's clock, whatever its machine's
 * says. One that is ahead would call missing what another machine sent a moment ago, and it would be paid once more by other means.
 */
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { CONFIG } from '#libs/config';
import { ClockModule } from '#libs/clock';
import { DbModule } from '#libs/db';
import { scratchDatabase } from '#libs/db/testing';
import { type Clock, systemClock } from '#libs/domain';
import { JobsModule } from '#libs/jobs';
import { idleHandlers } from '#libs/jobs/testing';
import type { RailContext, RailDefinition } from '#libs/rail-kit';
import { setLogLevel } from '#libs/telemetry';
import { RailsModule } from './rails.module';

const QUARTER_MS = 900_000;

describe('the clock that a rail is handed', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let module: TestingModule;
  let clock: Clock | undefined;
  beforeAll(async () => {
    setLogLevel('silent');
    database = await scratchDatabase();
    @Global()
    @Module({
      providers: [
        { provide: CONFIG, useValue: { production: false, deployment: 'spec', environment: {} } },
        idleHandlers(() => false),
      ],
      exports: [CONFIG],
    })
    class Surroundings {}
    const rail = {
      ...{ name: 'timed', settings: [], traits: { custody: 'custodial', currencies: null } },
      create: (context: RailContext) => {
        ({ clock } = context);
        return {};
      },
    } as unknown as RailDefinition;
    module = await Test.createTestingModule({
      imports: [
        Surroundings,
        DbModule.forRoot(database.url, 2),
        await JobsModule.forRoot({ redisUrl: null, works: false }),
        ClockModule,
        RailsModule.forRoot([rail]),
      ],
    }).compile();
    await module.init();
  });
  afterAll(async () => {
    await module.close();
    await database.drop();
  });
  afterEach(() => jest.restoreAllMocks());

  it('does not go ahead with its machine', () => {
    const before = (clock as Clock).now().getTime();
    const ahead = new Date(systemClock.now().getTime() + QUARTER_MS);
    jest.spyOn(systemClock, 'now').mockReturnValue(ahead);
    expect((clock as Clock).now().getTime() - before).toBeLessThan(QUARTER_MS / 2);
  });
});
