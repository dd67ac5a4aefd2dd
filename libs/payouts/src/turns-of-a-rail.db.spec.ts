/** Clients of one rail take turns: however much one of them sends, the others' payouts are sent, asked about and retried. */
import type { Client } from '#libs/clients';
import type { JobName } from '#libs/jobs';
import { JobStore } from '../../jobs/src/job-store';
import { accepted, type MoneyWorld, startMoneyWorld } from '../testing/src';
import type { Payout } from './payout';
import { RailQueue } from './use-cases/rail-queue';
import { ReceiveNotice } from './use-cases/receive-notice';

const MANY = 100;

describe('what one client sends over a rail', () => {
  let world: MoneyWorld;
  let many: Payout[];
  let mine: Payout;
  beforeAll(async () => {
    world = await startMoneyWorld();
    world.rail.answers = () => accepted();
    const paid = async (client: Client, count: number): Promise<Payout[]> => {
      const payee = await world.payee(client);
      return Promise.all(Array.from({ length: count }, () => world.pay(client, payee, 100)));
    };
    many = await paid(await world.client(), MANY);
    [mine] = (await paid(await world.client(), 1)) as [Payout];
  });
  afterAll(() => world.stop());

  /** How many jobs of that name are done before the other client's. */
  const before = async (name: JobName): Promise<number> => {
    const store = new JobStore(world.db);
    for (let count = 0; ;) {
      const jobs = await store.claim(name, 1, [], 60);
      if (jobs.length === 0) throw new Error(`There is no job ${name} of ${mine.id}.`);
      if (jobs.some(({ entityId }) => entityId === mine.id)) return count;
      count += jobs.length;
      for (const job of jobs) await store.finish(job);
    }
  };
  const notice = async (payouts: Payout[]): Promise<void> => {
    const railKeys = payouts.map(({ railKey }) => railKey);
    const reading = { kind: 'hints', noticeId: `notice of ${railKeys.length}`, railKeys };
    Object.assign(world.rail, { readNotice: () => Promise.resolve(reading) });
    await world.get(ReceiveNotice).run('claim_rail', { headers: {}, body: Buffer.from('') });
  };

  test('keeps no other client’s payouts from being sent', async () => {
    expect(await before('payout.drive')).toBeLessThan(MANY / 2);
  });

  test('and none of the questions about them', async () => {
    for (const payout of [...many, mine]) await world.drive(payout.id, { name: 'payout.drive', ...lease(payout) });
    await notice(many);
    await notice([mine]);
    expect(await before('payout.look')).toBeLessThan(MANY / 2);
  });

  test('and none of the tries again', async () => {
    await world.get(RailQueue).goOn(many);
    await world.get(RailQueue).goOn([mine]);
    expect(await before('payout.retry')).toBeLessThan(MANY / 2);
  });

  const lease = ({ id }: Payout) => ({ entityId: id, leaseToken: id });
});
