/** What a sweep has asked about first is still held when the sweep ends: that is no reason to begin anew at once, for as long as rails are slow. */
import { copiesOf, earlier, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { ReleaseCleared } from './use-cases/release-cleared';

describe('a sweep over very many payouts whose rail is asked first', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('ends, although its rail has not answered yet', async () => {
    const client = await world.client({ autoRelease: ['not_payable'] });
    for (let nth = 0; nth < 2; nth += 1) {
      const payee = await world.payee(client, { country: 'FR' });
      await world.adopt(client, payee);
      const { id } = await world.pay(client, payee);
      world.rail.says({ first: refused('account') });
      await world.drive(id);
      await earlier(world, id, '1 hour');
      expect(await world.status(id)).toBe('held');
      await copiesOf(world, await world.payout(id), 249, { created_at: 'created_at' });
    }
    await world.db.execute('UPDATE payees SET payable = true');
    const cleared = world.get(ReleaseCleared);
    const run = cleared.run.bind(cleared);
    const found: number[] = [];
    jest.spyOn(cleared, 'run').mockImplementation(async () => {
      const count = found.length < 5 ? await run() : 0; // it would go on for ever
      found.push(count);
      return count;
    });
    await world.get(SelfReleaseJobs).onSchedule();
    // Once more, for so many may not be all; they have been asked for by then.
    expect(found).toEqual([500, 0]);
  }, 60_000);
});
