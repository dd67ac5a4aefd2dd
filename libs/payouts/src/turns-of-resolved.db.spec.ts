/** Routing changed for everybody: clients with very many payees make room for others after a while. */
import { type Job, JobRunner } from '#libs/jobs';
// eslint-disable-next-line -- jobs are taken here as the pump takes them
import { JobStore } from '../../jobs/src/job-store';
import { PayeeReads } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

/** As `JOBS` has it: so many of these are under way at once. */
const AT_ONCE = 2;
/** Of five hundred payees each. */
const MANY_PAGES = 400;

describe('payees of three clients that are resolved again at once', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('two of whom have very many: those of the third have their turn before they are through', async () => {
    const large = [await world.client(), await world.client()];
    const small = await world.client();
    for (const client of [...large, small]) await world.payee(client, { country: 'DE' });
    const reads = world.get(PayeeReads);
    const page = reads.page.bind(reads);
    const pages = new Map<string, number>();
    // As if they had so many more: each look finds payees who stay as they are.
    jest.spyOn(reads, 'page').mockImplementation(async (clientId, begun, after, limit) => {
      const nth = (pages.get(clientId) ?? 0) + 1;
      pages.set(clientId, nth);
      const isMore = large.some(({ id }) => id === clientId) && nth < MANY_PAGES;
      return page(clientId, begun, isMore ? null : after, limit);
    });
    const [store, runner] = [world.get(JobStore), world.get(JobRunner)];
    const add = (ids: string[]) =>
      store.add(ids.map((id) => ({ name: 'payees.resolve', entityId: id, lane: id }) as const));
    await world.db.execute(`DELETE FROM jobs WHERE name = 'payees.resolve'`);
    await add(large.map(({ id }) => id));
    // As the pump does it.
    const underWay = new Map<Promise<void>, Job>();
    const take = async (): Promise<void> => {
      const running = [...underWay.values()];
      for (const job of await store.claim('payees.resolve', AT_ONCE - running.length, running, 60)) {
        const done = runner.run(job).finally(() => underWay.delete(done));
        underWay.set(done, job);
      }
    };
    await take();
    await add([small.id]);
    const lookedAt = (): number => Math.min(...large.map(({ id }) => pages.get(id) ?? 0));
    while (!pages.has(small.id)) {
      await take();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const before = lookedAt();
    await Promise.all(underWay.keys());
    expect(before).toBeLessThan(MANY_PAGES / 2);
  }, 120_000);
});
