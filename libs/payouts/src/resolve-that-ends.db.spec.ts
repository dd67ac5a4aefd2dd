/**
 * All payees of a client are resolved again: whoever takes the database over, a newer version for one, does not wait for that, and it ends
 * although payees are made meanwhile.
 */
import { VersionGate } from '#libs/db';
import { ChangePayee, ChangeRoutes, PayeeReads } from '#libs/payees';
import { type MoneyWorld, othersLike, startMoneyWorld } from '../testing/src';

describe('the payees of a client whose rails changed', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
    await world.get(ChangeRoutes).run(() => [{ country: 'AT', rails: ['custodial_a', 'claim_rail'], blocked: false }]);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    world.get(VersionGate).set(false);
  });
  afterAll(() => world.stop());

  test('are resolved again up to the one with which a newer version takes the database over, and later the others', async () => {
    const client = await world.client({ railAllowList: ['custodial_a'] });
    const payee = await world.payee(client, { country: 'AT' });
    await othersLike(world, payee, 19);
    await world.db.execute('UPDATE clients SET rail_allow_list = $2 WHERE id = $1', [client.id, ['claim_rail']]);
    await world.db.execute(
      `INSERT INTO jobs (name, entity_id, lane) VALUES ('payees.resolve', $1::uuid, $1::uuid::text) ON CONFLICT DO NOTHING`,
      [client.id],
    );
    const [gate, change] = [world.get(VersionGate), world.get(ChangePayee)];
    const locked = change.locked.bind(change);
    const changes = jest.spyOn(change, 'locked').mockImplementation((...asked) => {
      gate.set(true);
      return locked(...asked);
    });
    await world.work('payees.resolve', client.id);
    expect(changes.mock.calls.length).toBeLessThanOrEqual(2);
    gate.set(false);
    changes.mockImplementation(locked);
    await world.work('payees.resolve', client.id);
    expect(
      await world.db.rows(`SELECT FROM payees WHERE client_id = $1 AND provider <> 'claim_rail'`, [client.id]),
    ).toEqual([]);
  });

  test('are those that were there when it began, although another one is made with each look', async () => {
    const client = await world.client();
    const made = (): Promise<unknown> => world.payee(client, { country: 'AT' });
    await made();
    const reads = world.get(PayeeReads);
    const page = reads.page.bind(reads);
    const pages = jest.spyOn(reads, 'page').mockImplementation(async (...asked) => {
      const found = await page(...asked);
      if (pages.mock.calls.length < 20) await made();
      return found;
    });
    await world.db.execute(
      `INSERT INTO jobs (name, entity_id, lane) VALUES ('payees.resolve', $1::uuid, $1::uuid::text) ON CONFLICT DO NOTHING`,
      [client.id],
    );
    await world.work('payees.resolve', client.id);
    expect(pages).toHaveBeenCalledTimes(2);
  });
});
