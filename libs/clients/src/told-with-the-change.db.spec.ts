/** What a process changed of a client is told to the others with the commit itself: also if it ends right behind it, and not if it is undone. */
import { Client as Listener } from 'pg';
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { ClockModule } from '#libs/clock';
import { CONFIG } from '#libs/config';
import { Db, DbModule, Signals } from '#libs/db';
import { scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { newId } from '#libs/domain';
import { JobsModule } from '#libs/jobs';
import { idleHandlers } from '#libs/jobs/testing';
import { setLogLevel } from '#libs/telemetry';
import { ClientRegistry } from './client-registry';
import { ClientsModule } from './clients.module';

@Global()
@Module({
  providers: [
    { provide: CONFIG, useValue: { production: false, masterKeys: ['ab'.repeat(32)] } },
    idleHandlers(() => false),
  ],
  exports: [CONFIG],
})
class Surroundings {}

describe('a change of a client', () => {
  let database: ScratchDatabase;
  let module: TestingModule;
  let db: Db;
  let registry: ClientRegistry;
  let listener: Listener;
  let heard: string[];
  beforeAll(async () => {
    setLogLevel('silent');
    database = await scratchDatabase();
    const jobs = await JobsModule.forRoot({ redisUrl: null, works: false });
    module = await Test.createTestingModule({
      imports: [Surroundings, DbModule.forRoot(database.url, 4), ClockModule, jobs, ClientsModule],
    }).compile();
    await module.init();
    db = module.get(Db);
    registry = module.get(ClientRegistry);
    listener = new Listener({ connectionString: database.url });
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    await listener.connect();
    await listener.query('LISTEN gw_client');
    // From here on nothing leaves after a commit, as if the process ended with it.
    module.get(Signals).onApplicationShutdown();
  });
  afterAll(async () => {
    await listener.end();
    await module.close();
    await database.drop();
  });
  beforeEach(() => void (heard = []));

  /** PostgreSQL hands over what it has before it answers. */
  const all = async (): Promise<string[]> => (await listener.query('SELECT 1'), heard);

  test('is heard of with its commit', async () => {
    const [id, other] = [newId(), newId()];
    await db.inTransaction(async () => {
      registry.changed(id);
      await db.outsideTransaction(() => db.rows('SELECT 1'));
      expect(await all()).toEqual([]);
      registry.changed(other);
    });
    expect(await all()).toEqual([id, other]);
  });

  test('that is undone is not', async () => {
    const undone = db.inTransaction(async () => {
      registry.changed(newId());
      await db.execute('SELECT 1 / 0');
    });
    await expect(undone).rejects.toThrow('division by zero');
    expect(await all()).toEqual([]);
  });
});
