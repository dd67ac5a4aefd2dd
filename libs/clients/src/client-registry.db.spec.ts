/** What is kept of clients is never older than the last change that was heard of, and many that ask together read it once. */
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { ClockModule } from '#libs/clock';
import { CONFIG } from '#libs/config';
import { Db, DbModule } from '#libs/db';
import { scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { newId } from '#libs/domain';
import { JobsModule } from '#libs/jobs';
import { idleHandlers } from '#libs/jobs/testing';
import { setLogLevel } from '#libs/telemetry';
import type { ClientSettings } from './client';
import { ClientRegistry } from './client-registry';
import { ClientsModule } from './clients.module';
import { ClientReads } from './db/client.reads';
import { ClientStore } from './db/client.store';

@Global()
@Module({
  providers: [
    { provide: CONFIG, useValue: { production: false, masterKeys: ['ab'.repeat(32)] } },
    idleHandlers(() => false),
  ],
  exports: [CONFIG],
})
class Surroundings {}

const SETTINGS: ClientSettings = {
  ...{ name: 'Acme', status: 'active', testMode: true, statusVersion: 1, scopes: [], webhookUrl: null },
  ...{ autoRelease: [], mails: {}, checksPayees: false },
  ...{ eventTypes: [], railAllowList: null, prepaid: false, defaultCurrency: 'USD', caps: {}, floors: {} },
  ...{ withdrawPolicy: {}, rateLimitPerMinute: null, requireSignatureV2: false, coolDownSeconds: null },
  ...{ locale: null, brand: {} },
};

describe('what is known of a client', () => {
  let database: ScratchDatabase;
  let module: TestingModule;
  let db: Db;
  let registry: ClientRegistry;
  let clientId: string;
  beforeAll(async () => {
    setLogLevel('silent');
    database = await scratchDatabase();
    const jobs = await JobsModule.forRoot({ redisUrl: null, works: false });
    module = await Test.createTestingModule({
      imports: [Surroundings, DbModule.forRoot(database.url, 8), ClockModule, jobs, ClientsModule],
    }).compile();
    await module.init();
    db = module.get(Db);
    registry = module.get(ClientRegistry);
  });
  afterAll(async () => {
    await module.close();
    await database.drop();
  });
  beforeEach(async () => {
    clientId = newId();
    await module.get(ClientStore).insert(clientId, SETTINGS);
  });

  /** Changes while somebody reads: the reader has the old row, and is kept from its next statement by a lock. */
  const whileRead = async <T>(read: () => Promise<T>, table: string, change: string): Promise<T> => {
    const reading = await db.inTransaction(async () => {
      await db.execute(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const begun = db.outsideTransaction(read);
      await waitingFor(table);
      await db.outsideTransaction(() =>
        db.inTransaction(async () => {
          await db.execute(change, [clientId]);
          registry.changed(clientId);
        }),
      );
      return { begun };
    });
    return reading.begun;
  };
  const waitingFor = async (table: string): Promise<void> => {
    while ((await db.rows(WAITING, [table])).length === 0) await new Promise((resolve) => setImmediate(resolve));
  };

  test('is kept while nothing changes', async () => {
    await registry.byId(clientId);
    await db.execute(`UPDATE clients SET status = 'suspended' WHERE id = $1`, [clientId]);
    expect((await registry.byId(clientId))?.client.status).toBe('active');
  });

  test('is not what was read before a change and arrived after it', async () => {
    const suspend = `UPDATE clients SET status = 'suspended' WHERE id = $1`;
    const late = await whileRead(() => registry.byId(clientId), 'signing_secrets', suspend);
    expect(late?.client.status).toBe('active');
    expect((await registry.byId(clientId))?.client.status).toBe('suspended');
  });

  test('is read with others of whom one cannot be opened, who keeps nobody waiting', async () => {
    const other = newId();
    await module.get(ClientStore).insert(other, SETTINGS);
    await module.get(ClientStore).insertSecret({ id: newId(), clientId: other, sealed: 'k1:by another master key' });
    const readings = jest.spyOn(module.get(ClientReads), 'findAll');
    const asked = await Promise.allSettled(Array.from({ length: 400 }, () => registry.byId(other)));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect((await registry.byId(clientId))?.client.id).toBe(clientId);
    expect(readings).toHaveBeenCalledTimes(2);
    readings.mockRestore();
  });

  test('is read once for all that ask together, also after signatures that no secret made', async () => {
    const readings = jest.spyOn(module.get(ClientReads), 'findAll');
    const together = (ask: () => Promise<unknown>): Promise<unknown[]> => Promise.all(Array.from({ length: 400 }, ask));
    await together(() => registry.byId(clientId));
    expect(readings).toHaveBeenCalledTimes(1);
    const later = performance.now() + 200;
    const time = jest.spyOn(performance, 'now').mockReturnValue(later);
    await together(async () => {
      await registry.byId(clientId);
      expect(await registry.reread(clientId)).not.toBeNull();
      await registry.byId(clientId);
    });
    time.mockRestore();
    expect(readings).toHaveBeenCalledTimes(2);
  });
});

const WAITING = `
  SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
