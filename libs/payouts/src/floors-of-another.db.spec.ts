/**
 * One client has very many payees whose payouts together reach their floor, and stay: of each a part cools down, and the rest is below it.
 * What another client has that reached its floor does not wait until each of them was looked at, every half minute anew.
 */
import { type Client, ClientRegistry } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { FloorReads } from './db/floor.reads';
import { SelfReleaseJobs } from './jobs/self-release.job';

const MANY = 120;

describe('groups of another client that stay below their floor', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  /** 60 cents that cool down, and 60 that do not: the floor is 100. */
  const stays = async (client: Client, nth: number): Promise<void> => {
    const payee = await world.payee(client, { country: 'DE', email: `old-${nth}@example.com` });
    const before = await world.pay(client, payee, 60);
    const { externalId } = payee;
    const changed = await world.get(UpsertPayee).run(client, { externalId, email: `new-${nth}@example.com` });
    const after = await world.pay(client, changed, 60);
    expect([before.status, after.status]).toEqual(['held', 'held']);
  };

  test('do not come before one that goes on', async () => {
    const crowd = await world.client();
    for (let nth = 0; nth < MANY; nth += 1) await stays(crowd, nth);
    const other = await world.client();
    const payee = await world.payee(other, { country: 'DE' });
    const { id, status } = await world.pay(other, payee, 60);
    expect(status).toBe('held');
    await world.db.execute(`UPDATE clients SET floors = '{"claim_rail": 50}' WHERE id = $1`, [other.id]);
    world.get(ClientRegistry).changed(other.id);

    const reads = world.get(FloorReads);
    const centsAfter = reads.centsAfter.bind(reads);
    let looks = 0;
    let before: number | null = null;
    jest.spyOn(reads, 'centsAfter').mockImplementation(async (...asked) => {
      if (before === null && (await world.status(id)) !== 'held') before = looks;
      looks += 1;
      return centsAfter(...asked);
    });
    await world.get(SelfReleaseJobs).sweep();
    expect(await world.status(id)).toBe('authorized');
    expect(before ?? looks - 1).toBeLessThan(MANY);
  });
});
