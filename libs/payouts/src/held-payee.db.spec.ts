/** Somebody holds a payee or a wallet for long: only those wait who need the same one, and in memory. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import { type Payee, UpsertPayee } from '#libs/payees';
import { WalletBook } from '#libs/wallets';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('who waits for what somebody holds', () => {
  let world: MoneyWorld;
  let client: Client;
  let neighbour: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
    neighbour = await world.client();
  });
  afterAll(() => world.stop());

  /** As a withdrawal of very many rows does. */
  const holdingPayee = ({ id }: Payee) => holding(world.db, 'SELECT FROM payees WHERE id = $1 FOR NO KEY UPDATE', [id]);
  const holdingWallets = ({ id }: Client) =>
    holding(world.db, 'SELECT FROM wallets WHERE client_id = $1 FOR NO KEY UPDATE', [id]);
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('payouts of a payee that is held wait beside those of others, which do not', async () => {
    const [payee, other] = [await world.payee(client), await world.payee(neighbour)];
    const letGo = await holdingPayee(payee);
    const ended: string[] = [];
    const waiting = Array.from({ length: 20 }, () => world.pay(client, payee).then(() => ended.push('waited')));
    await turn();
    for (let nth = 0; nth < 3; nth += 1) await world.pay(neighbour, other);
    await world.pay(client, await world.payee(client));
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(waiting);
    expect(ended).toHaveLength(20);
  });

  test('so do those that draw on a wallet that is held; a repeat waits for nobody', async () => {
    const prepaid = await world.client({ prepaid: true });
    const deposit = { clientId: prepaid.id, type: 'deposit', currency: 'USD', amountCents: 100_000 } as const;
    await world.get(WalletBook).post({ ...deposit, reference: randomUUID(), note: null });
    const payee = await world.payee(prepaid);
    const before = await world.pay(prepaid, payee);
    const letGo = await holdingWallets(prepaid);
    const waiting = [1, 2, 3].map(() => world.pay(prepaid, payee));
    await turn();
    await world.pay(neighbour, await world.payee(neighbour));
    expect(await world.pay(prepaid, payee, 1_000, before.idempotencyKey)).toMatchObject({ id: before.id });
    await letGo();
    for (const payout of await Promise.all(waiting)) expect(payout.status).toBe('authorized');
  });

  test('what a wallet covers is exact, however many wait for it', async () => {
    const prepaid = await world.client({ prepaid: true });
    const deposit = { clientId: prepaid.id, type: 'deposit', currency: 'USD', amountCents: 5_000 } as const;
    await world.get(WalletBook).post({ ...deposit, reference: randomUUID(), note: null });
    const payees = await Promise.all(Array.from({ length: 4 }, () => world.payee(prepaid)));
    const letGo = await holdingWallets(prepaid);
    const asked = payees.flatMap((payee) => [1, 2, 3].map(() => world.pay(prepaid, payee)));
    await turn();
    await letGo();
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<string>(5).fill('authorized'), ...Array<string>(7).fill('held')]);
  });

  test('changes of a payee that is held wait in memory, and keep no connection from others', async () => {
    const payee = await world.payee(client);
    const letGo = await holdingPayee(payee);
    const change = (name: string) => world.get(UpsertPayee).run(client, { externalId: payee.externalId, name });
    const waiting = Array.from({ length: 30 }, (_, nth) => change(`Ada ${nth}`));
    await turn();
    const others = Array.from({ length: 30 }, () => world.payee(neighbour));
    expect(await Promise.all(others)).toHaveLength(30);
    await letGo();
    expect((await Promise.all(waiting)).at(-1)?.name).toBe('Ada 29');
  });
});
