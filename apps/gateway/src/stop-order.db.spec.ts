/** In which order a process lets go of what others may go on with, as it stops. */
import { once } from 'node:events';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '#libs/config';
import { Db, SingleRunner } from '#libs/db';
import { happening, scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { JobRunner } from '#libs/jobs';
import { setLogLevel } from '#libs/telemetry';
import { AppModule } from './app.module';

const GIVEN = {
  NODE_ENV: 'test',
  OPERATOR_TOKEN: 'stop-spec',
  MASTER_KEY: '0'.repeat(64),
  LOG_LEVEL: 'silent',
  ROLE: 'worker',
};

let database: ScratchDatabase;
beforeAll(async () => {
  setLogLevel('silent');
  database = await scratchDatabase();
});
afterAll(() => database.drop());

test('turns of schedules are handed over, and none begins, before jobs are waited for', async () => {
  const config = { ...loadConfig(GIVEN), databaseUrl: database.url };
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config), {
    logger: false,
    abortOnError: false,
  });
  const [runner, db] = [app.get(SingleRunner), app.get(Db)];
  const jobs = jest.spyOn(app.get(JobRunner), 'finish');
  const begun = happening();
  const turn = runner.run('long', async (signal) => {
    begun.happens();
    await once(signal, 'abort');
    return [jobs.mock.calls.length, await db.rows('SELECT name FROM runners WHERE leased_until > now()')];
  });
  await begun.promise;
  await app.close();
  expect(await turn).toEqual([0, []]);
  expect(await runner.run('other', () => Promise.resolve('begun'))).toBeNull();
});
