/** What clients let go on by itself is looked at in turn: one of them, with many that stay held, keeps no other's waiting. */
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import { HeldReads, type MoneyWorld, othersLike, startMoneyWorld } from '../testing/src';
import { ChangePayout } from './use-cases/change-payout';
import { ReleaseCleared } from './use-cases/release-cleared';

const AT_A_TIME = 500;

describe('payouts whose cause may be gone', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('of one payee go on with the next look, however many payees of another client stay held', async () => {
    const large = await world.client({ autoRelease: ['no_rail'] });
    for (let count = 0; count < AT_A_TIME; count += 1) {
      const unserved = await world.payee(large, { country: 'JP' });
      await world.pay(large, unserved);
    }
    expect(await world.db.rows(`SELECT FROM payouts WHERE status_reason = 'no_rail'`)).toHaveLength(AT_A_TIME);
    const small = await world.client({ autoRelease: ['missing_name'] });
    const payee = await world.payee(small);
    await world.db.execute('UPDATE payees SET name = NULL WHERE id = $1', [payee.id]);
    const { id } = await world.pay(small, payee);
    expect(await world.payout(id)).toMatchObject({ status: 'held', statusReason: 'missing_name' });
    await world.db.execute(`UPDATE payees SET name = 'Grace Hopper' WHERE id = $1`, [payee.id]);
    await world.get(ReleaseCleared).run();
    expect(await world.status(id)).toBe('authorized');
  }, 120_000);

  test('of many payees of one client come round, the next ones with the next look, beside those of another', async () => {
    await world.db.execute(`UPDATE clients SET status = 'suspended'`); // those of other tests
    const held = async (others: number): Promise<string[]> => {
      const client = await world.client({ autoRelease: ['no_rail'] });
      const unserved = await world.payee(client, { country: 'JP' });
      await world.pay(client, unserved);
      await othersLike(world, unserved, others);
      const payees = await world.db.rows<{ id: string }>('SELECT id FROM payees WHERE client_id = $1', [client.id]);
      return payees.map(({ id }) => id);
    };
    const [large, small] = [await held(2 * AT_A_TIME), await held(1)];
    const change = jest.spyOn(world.get(ChangePayout), 'withPayees').mockResolvedValue({ changed: [], asked: [] });
    const looks: string[][] = [];
    for (let look = 0; look < 4; look += 1) {
      change.mockClear();
      await world.get(ReleaseCleared).run();
      looks.push(change.mock.calls.flatMap(([ids]) => ids));
    }
    for (const look of looks) expect(look).toEqual(expect.arrayContaining(small));
    const turns = looks.flat().filter((id) => large.includes(id));
    expect(turns).toHaveLength(4 * (AT_A_TIME - small.length));
    // Nobody has a second turn before each had one.
    expect(new Set(turns.slice(0, large.length)).size).toBe(large.length);
    expect(turns.slice(large.length)).toEqual(turns.slice(0, turns.length - large.length));
  }, 60_000);

  /** Each look comes as far as 40 payees for each one that it may answer. */
  test('come round, however many payees of their client still show the cause, and another client waits for none of them', async () => {
    await world.db.execute(`UPDATE clients SET status = 'suspended'`); // those of other tests
    const [large, small] = [
      await world.client({ autoRelease: ['missing_name'] }),
      await world.client({ autoRelease: ['missing_name'] }),
    ];
    const nameless = async (client: Client): Promise<Payee> => {
      const payee = await world.payee(client);
      await world.db.execute('UPDATE payees SET name = NULL WHERE id = $1', [payee.id]);
      await world.pay(client, payee);
      return payee;
    };
    await othersLike(world, await nameless(large), 200);
    const [last] = await world.db.rows<{ id: string }>(
      'SELECT id FROM payees WHERE client_id = $1 ORDER BY id DESC LIMIT 1',
      [large.id],
    );
    const ready = [last?.id, (await nameless(small)).id];
    await world.db.execute(`UPDATE payees SET name = 'Grace Hopper' WHERE id = ANY($1)`, [ready]);
    const maybeCleared = world.get(HeldReads).maybeCleared.bind(world.get(HeldReads));
    jest
      .spyOn(world.get(HeldReads), 'maybeCleared')
      .mockImplementation((before, _payees, ofEach) => maybeCleared(before, 2, ofEach));
    const change = jest.spyOn(world.get(ChangePayout), 'withPayees').mockResolvedValue({ changed: [], asked: [] });
    const looks: string[][] = [];
    for (let look = 0; look < 5; look += 1) {
      change.mockClear();
      await world.get(ReleaseCleared).run();
      looks.push(change.mock.calls.flatMap(([ids]) => ids));
    }
    expect(looks[0]).toEqual(ready.slice(1));
    for (const look of looks) expect(look).toEqual(expect.arrayContaining(ready.slice(1)));
    expect(looks.flat()).toEqual(expect.arrayContaining(ready));
  });
});
