/**
 * A rail counts for how long a call may still arrive, and for how long a list may lag: by the database's clock, whatever its machine's
 * says. One that is ahead would call missing what another machine sent a moment ago, and it would be paid once more by other means. And what
 * it sends is dated by the time that it is, also on a machine that slept in the middle of a call: another machine counts from then.
 */
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { CONFIG } from '#libs/config';
import { ClockModule } from '#libs/clock';
import { DatabaseClock, DbModule } from '#libs/db';
import { scratchDatabase } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import { JobsModule } from '#libs/jobs';
import { idleHandlers } from '#libs/jobs/testing';
import { type RailContext, type RailDefinition, Tries } from '#libs/rail-kit';
import { setLogLevel } from '#libs/telemetry';
import { RailsModule } from './rails.module';

const QUARTER_MS = 900_000;

describe('the clock that a rail is handed', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let module: TestingModule;
  let context: RailContext | undefined;
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
      create: (given: RailContext) => {
        context = given;
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
    const { clock } = context as RailContext;
    const before = clock.now().getTime();
    const ahead = new Date(systemClock.now().getTime() + QUARTER_MS);
    jest.spyOn(systemClock, 'now').mockReturnValue(ahead);
    expect(clock.now().getTime() - before).toBeLessThan(QUARTER_MS / 2);
  });

  it('leaves what is sent on a machine that slept a moment ago in doubt for as long as a list may lag', async () => {
    const { store, clock } = context as RailContext;
    const tries = new Tries(store, clock);
    const attempt = await tries.current('slept');
    jest.spyOn(module.get(DatabaseClock), 'set').mockReturnValue(undefined); // not looked at yet
    const late = new Date(systemClock.now().getTime() + QUARTER_MS);
    jest.spyOn(systemClock, 'now').mockReturnValue(late);
    await tries.sending('slept', attempt);
    const anotherMachine = new Tries(store, { now: () => late, latest: () => late });
    expect(anotherMachine.isInDoubt(await anotherMachine.read('slept'))).toBe(true);
  });

  it('ends no doubt of ten minutes because the clock of the database is set forward', () => {
    const { clock } = context as RailContext;
    const database = module.get(DatabaseClock);
    const before = clock.now().getTime();
    const [ticks, system] = [performance.now.bind(performance), systemClock.now.bind(systemClock)];
    database.set(new Date(before + QUARTER_MS), database.reading());
    jest.spyOn(performance, 'now').mockImplementation(() => ticks() + 120_000);
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(system().getTime() + 120_000));
    expect(clock.now().getTime() - before).toBeLessThan(QUARTER_MS / 2);
  });
});
