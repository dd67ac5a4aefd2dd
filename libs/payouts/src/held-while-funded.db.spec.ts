/** Funds came, and somebody holds what one payee's payout needs: its client's others are not waited for one by one, and have their turn next. */
import { randomUUID } from 'node:crypto';
import { DatabaseTrouble } from '#libs/db';
import { WalletBook } from '#libs/wallets';
import { type MoneyWorld, ReleaseFunded, startMoneyWorld } from '../testing/src';
import { ChangePayout } from './use-cases/change-payout';

describe('payouts that a wallet covers', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('of which somebody holds the first: one is waited for at a time, and then another one comes first', async () => {
    const client = await world.client({ prepaid: true });
    const ids: string[] = [];
    const payees: string[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const payee = await world.payee(client);
      payees.push(payee.id);
      ids.push((await world.pay(client, payee, 600)).id);
    }
    const deposit = { type: 'deposit', currency: 'USD', note: null, amountCents: 10_000 } as const;
    await world.get(WalletBook).post({ ...deposit, clientId: client.id, reference: randomUUID() });
    const statuses = () => Promise.all(ids.map((id) => world.status(id)));
    expect(await statuses()).toEqual(['held', 'held', 'held']);
    const change = world.get(ChangePayout);
    const withPayees = change.withPayees.bind(change);
    let held = new Set(payees);
    const looks = jest.spyOn(change, 'withPayees').mockImplementation(async ([payeeId = ''], work) => {
      if (held.has(payeeId)) throw new DatabaseTrouble('timeout', new Error('canceling statement due to lock timeout'));
      return withPayees([payeeId], work);
    });
    const run = () => world.get(ReleaseFunded).ofClient(client.id);
    await run();
    expect(looks).toHaveBeenCalledTimes(1);
    held = new Set(payees.slice(0, 1));
    await run();
    expect(await statuses()).toEqual(['held', 'authorized', 'authorized']);
    held.clear();
    await run();
    expect(await statuses()).toEqual(['authorized', 'authorized', 'authorized']);
  });
});
