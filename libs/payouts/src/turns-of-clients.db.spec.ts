/** However much of one client may go on by itself at once, what others have is looked at beside it. */
import { randomUUID } from 'node:crypto';
import { KeepClients } from '#libs/clients';
import { WalletBook } from '#libs/wallets';
import { clientsLike, copiesOf, type MoneyWorld, othersLike, ReleaseHeld, startMoneyWorld } from '../testing/src';
import { FloorReads } from './db/floor.reads';
import { ChangePayout } from './use-cases/change-payout';
import { PayoutGates } from './use-cases/payout-gates';

const AT_A_TIME = 500;

describe('very many payouts of one client that may go on', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const waiting = async (settings: object, others: number): Promise<string> => {
    const client = await world.client(settings);
    const payee = await world.payee(client, { country: 'DE' });
    await world.pay(client, payee, 900);
    await world.pay(client, payee, 900);
    await othersLike(world, payee, others);
    await world.db.inTransaction(() => world.get(KeepClients).change(client.id, { floors: {}, caps: {} }));
    return payee.id;
  };

  test('below a floor that was lowered: each client has its turn before another has its second', async () => {
    await waiting({ floors: { claim_rail: 10_000 } }, AT_A_TIME);
    const other = await waiting({ floors: { claim_rail: 10_000 } }, 0);
    const found = await world.get(FloorReads).accrued(world.get(PayoutGates).floors());
    expect(found).toHaveLength(AT_A_TIME);
    expect(found.slice(0, 2).map(({ payeeId }) => payeeId)).toContain(other);
  });

  test('of a day that is over: each client has its turn before another has its second', async () => {
    const settings = { caps: { dailyCents: 1_000 } };
    await waiting(settings, AT_A_TIME);
    const other = await waiting(settings, 0);
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - interval '1 day', authorized_on = authorized_on - 1`,
    );
    await world.db.execute('UPDATE balances SET day = day - 1');
    const change = jest.spyOn(world.get(ChangePayout), 'withPayees').mockResolvedValue(null);
    await world.get(ReleaseHeld).ofEarlierDays();
    const looked = change.mock.calls.flatMap(([ids]) => ids);
    expect(looked).toHaveLength(AT_A_TIME);
    expect(looked.slice(0, 2)).toContain(other);
  });

  test('of more clients than have a turn at once: each has one after a while', async () => {
    await world.db.execute(`UPDATE clients SET status = 'suspended'`); // those of other tests
    const client = await world.client({ floors: { claim_rail: 10_000 } });
    const payee = await world.payee(client, { country: 'DE' });
    const payout = await world.pay(client, payee, 900);
    await clientsLike(world, { client, payee, payout }, AT_A_TIME);
    await world.db.execute(`UPDATE clients SET floors = '{}'`);
    const seen = new Set<string>();
    const floors = world.get(PayoutGates).floors();
    // 501 of them: by chance one is missing after 20 looks once in 10^51 times.
    for (let look = 0; look < 20; look += 1)
      for (const { payeeId } of await world.get(FloorReads).accrued(floors)) seen.add(payeeId);
    expect(seen.size).toBe(AT_A_TIME + 1);
  });

  test('that a wallet covers: so many, and then others have their turn', async () => {
    const client = await world.client({ prepaid: true });
    const payee = await world.payee(client);
    const first = await world.pay(client, payee, 100);
    await copiesOf(world, first, 200, { created_at: 'created_at' });
    const entry = { type: 'deposit', currency: 'USD', note: null, amountCents: 20_100 } as const;
    await world.get(WalletBook).post({ ...entry, clientId: client.id, reference: randomUUID() });
    expect(await world.funded(client.id)).toEqual({ againInSeconds: 0 });
    const held = () =>
      world.db
        .rows(`SELECT FROM payouts WHERE payee_id = $1 AND status = 'held'`, [payee.id])
        .then(({ length }) => length);
    expect(await held()).toBe(1);
    expect(await world.funded(client.id)).toBeUndefined();
    expect(await held()).toBe(0);
  }, 60_000);

  test('that a wallet covers, and stay as they are: so many at a time, and then those beside them; and later they again', async () => {
    const client = await world.client({ prepaid: true });
    const payee = await world.payee(client);
    const first = await world.pay(client, payee, 100);
    await copiesOf(world, first, 300, { created_at: 'created_at' });
    const young = await world.pay(client, await world.payee(client), 100);
    const entry = { type: 'deposit', currency: 'USD', note: null, amountCents: 50_000 } as const;
    await world.get(WalletBook).post({ ...entry, clientId: client.id, reference: randomUUID() });
    const releases = world.get(ReleaseHeld);
    const funded = releases.funded.bind(releases);
    const lookedAt: string[] = [];
    jest.spyOn(releases, 'funded').mockImplementation(async (payeeId, id) => {
      lookedAt.push(id);
      return payeeId === payee.id ? 'stays' : funded(payeeId, id);
    });
    // Nothing came of it, so the schedule looks next: many that stay would have the job come again and again.
    expect(await world.funded(client.id)).toBeUndefined();
    expect(lookedAt).toHaveLength(200);
    expect(await world.funded(client.id)).toBeUndefined();
    expect(new Set(lookedAt).size).toBe(302);
    expect(lookedAt).toHaveLength(302);
    expect(await world.status(young.id)).toBe('authorized');
    await world.funded(client.id);
    expect(lookedAt).toHaveLength(502);
  }, 60_000);
});
