/** Periodic work belongs to those who work the queues: a process that serves the API must not do it, nor wait for it. */
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { loadConfig } from '#libs/config';
import { Db } from '#libs/db';
import { scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { FirstRuns } from '#libs/jobs';
import { mockRail } from '#libs/rails/mock';
import { standInRails } from '#libs/rails/mock/testing';
import { setLogLevel } from '#libs/telemetry';
import { AppModule } from './app.module';

const GIVEN = { NODE_ENV: 'test', OPERATOR_TOKEN: 'schedules-spec', MASTER_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' };

let database: ScratchDatabase;
beforeAll(async () => {
  setLogLevel('silent');
  database = await scratchDatabase();
});
afterAll(() => database.drop());

test.each([
  ['api', false],
  ['worker', true],
  ['all', true],
] as const)('ROLE=%s runs schedules: %s', async (role, runs) => {
  const config = { ...loadConfig({ ...GIVEN, ROLE: role }), databaseUrl: database.url };
  const app: INestApplicationContext = await NestFactory.createApplicationContext(AppModule.forRoot(config), {
    logger: false,
    abortOnError: false,
  });
  expect(app.get(SchedulerRegistry).getIntervals().length > 0).toBe(runs);
  await app.close();
});

test('what finds lost work or money begins with the process, and what tidies does not', async () => {
  const config = { ...loadConfig({ ...GIVEN, ROLE: 'worker' }), databaseUrl: database.url };
  const app: INestApplicationContext = await NestFactory.createApplicationContext(
    AppModule.forRoot(config, [mockRail, ...standInRails]),
    { logger: false, abortOnError: false },
  );
  await app.get(FirstRuns).run();
  const begun = await app
    .get(Db)
    .rows<{ name: string }>(`SELECT DISTINCT split_part(name, ' ', 1) AS name FROM runners`);
  expect(
    begun
      .map(({ name }) => name)
      .filter((name) => name !== 'verify')
      .sort(),
  ).toEqual([
    'payability',
    'recover-deliveries',
    'recover-mails',
    'recover-owed',
    'recover-payouts',
    'scan-movements',
    'self-release',
    'watch-returns',
  ]);
  await app.close();
});
