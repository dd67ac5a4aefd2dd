/** Time passes while a worker is in the middle of a job, which keeps its lease and is looked at once more. */
import type { Client } from '#libs/clients';
import { type Job, JobRunner } from '#libs/jobs';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { TestClockModule } from './test-clock.module';
import { AdvanceClock } from './use-cases/advance-clock';

describe('a job under way, whose client lets time pass', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld({ also: [TestClockModule] });
    client = await world.client({ testMode: true });
  });
  afterAll(() => world.stop());

  const taken = async (): Promise<Job> => {
    await world.db.execute(
      `INSERT INTO jobs (name, entity_id, lane) VALUES ('payees.resolve', $1::uuid, $1::uuid::text) ON CONFLICT DO NOTHING`,
      [client.id],
    );
    const { leaseToken } = await world.takeJob(client.id, 'payees.resolve');
    return (await world.db.row<Job>('SELECT *, false AS lapsed FROM jobs WHERE lease_token = $1', [leaseToken])) as Job;
  };
  const pass = () => world.get(AdvanceClock).run(client, 3_600);
  const left = () =>
    world.db.row(
      `SELECT lease_token IS NULL AS free, run_at <= now() AS due FROM jobs WHERE name = 'payees.resolve' AND entity_id = $1`,
      [client.id],
    );

  test('stays with its worker, and is due again when that is through', async () => {
    const job = await taken();
    expect(await pass()).toMatchObject({ others: 0 });
    expect(await left()).toEqual({ free: false, due: false });
    await world.get(JobRunner).run(job);
    expect(await left()).toEqual({ free: true, due: true });
  });

  test('is done when no time passes', async () => {
    await world.get(JobRunner).run(await taken());
    expect(await left()).toBeNull();
  });
});
