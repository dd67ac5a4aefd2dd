/** The mail feature on a database of its own. Jobs are run by hand. */
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { newId } from '#libs/domain';
import { ClockModule } from '#libs/clock';
import { CONFIG } from '#libs/config';
import { Db, DbModule } from '#libs/db';
import { scratchDatabase } from '#libs/db/testing';
import { JobsModule } from '#libs/jobs';
import { idleHandlers } from '#libs/jobs/testing';
import { setLogLevel } from '#libs/telemetry';
import { MailModule } from '../src/mail.module';

export interface World {
  module: TestingModule;
  db: Db;
  clientId: string;
  stop(): Promise<void>;
}

const CLIENT = `
  INSERT INTO clients (id, name, status, test_mode, status_version, scopes, event_types, prepaid, default_currency, caps, floors,
    withdraw_policy, require_signature_v2)
  VALUES ($1, 'Acme', 'active', true, 1, '{}', '{}', false, 'USD', '{}', '{}', '{}', false)`;

const GENEROUS = { mailsPerAddress: 1_000_000, mailsPerClient: 1_000_000 };

export async function startWorld(smtpUrl: string | null, limits: Partial<typeof GENEROUS> = {}): Promise<World> {
  setLogLevel('silent');
  const config = {
    production: false,
    ...GENEROUS,
    ...limits,
    smtpUrl,
    mailFrom: 'Acme Päyouts <pay@acme.example>',
    publicUrl: 'https://pay.example',
    masterKeys: ['00'.repeat(32)],
  };
  @Global()
  @Module({
    providers: [{ provide: CONFIG, useValue: config }, idleHandlers((name) => name === 'mail.send')],
    exports: [CONFIG],
  })
  class Surroundings {}
  const database = await scratchDatabase();
  const module = await Test.createTestingModule({
    imports: [
      Surroundings,
      ClockModule,
      DbModule.forRoot(database.url, 4),
      await JobsModule.forRoot({ redisUrl: null, works: false }),
      MailModule,
    ],
  }).compile();
  await module.init();
  const db = module.get(Db);
  const clientId = newId();
  await db.execute(CLIENT, [clientId]);
  const stop = async (): Promise<void> => {
    await module.close();
    await database.drop();
  };
  return { module, db, clientId, stop };
}
