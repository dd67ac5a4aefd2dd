/** Periodic work belongs to those who work the queues: a process that serves the API must not do it, nor wait for it. */
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { loadConfig } from '#libs/config';
import { scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
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
