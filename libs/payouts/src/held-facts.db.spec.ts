/** What rails say of payouts that somebody holds, or whose wallet somebody holds: only those wait who need the same one. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { holding, waitedFor } from '#libs/db/testing';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { WalletBook } from '#libs/wallets';
import { accepted, type MoneyWorld, settled, startMoneyWorld } from '../testing/src';
import { ApplyRailFact } from './use-cases/apply-rail-fact';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('what somebody holds', () => {
  let world: MoneyWorld;
  let neighbour: Client;
  let atOnce: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
    neighbour = await world.client();
    atOnce = await world.payee(neighbour, { country: 'ES' });
  });
  afterEach(() => world.rail.reset());
  afterAll(() => world.stop());

  const holdingWallets = ({ id }: Client) =>
    holding(world.db, 'SELECT FROM wallets WHERE client_id = $1 FOR NO KEY UPDATE', [id]);
  const holdingPayouts = (payouts: Payout[]) =>
    holding(world.db, 'SELECT FROM payouts WHERE id = ANY($1) FOR NO KEY UPDATE', [payouts.map(({ id }) => id)]);
  const prepaid = async (amountCents: number): Promise<Client> => {
    const client = await world.client({ prepaid: true });
    const entry = {
      clientId: client.id,
      type: 'deposit',
      currency: 'USD',
      amountCents,
      reference: randomUUID(),
    } as const;
    await world.get(WalletBook).post({ ...entry, note: null });
    return client;
  };
  const ofTwoClients = async (): Promise<Payout[]> => {
    const clients = [await world.client(), await world.client()];
    return Promise.all(clients.map(async (client) => world.pay(client, await world.payee(client))));
  };
  /** From its request to its answer, with what the rail says applied. */
  const neighbourIsPaid = async (): Promise<void> => {
    world.rail.answers = () => settled();
    for (let nth = 0; nth < 3; nth += 1) expect((await world.pay(neighbour, atOnce)).status).toBe('paid');
  };

  test('the wallet of one client keeps no news of another one, and its own are not lost', async () => {
    const client = await prepaid(50_000);
    const ended: string[] = [];
    const paying: Promise<unknown>[] = [];
    for (let nth = 0; nth < 6; nth += 1) {
      const payee = await world.payee(client, { country: 'ES' });
      paying.push(world.pay(client, payee).then(({ status }) => ended.push(status)));
    }
    const first = await world.rail.call(6).then(() => world.rail.calls);
    const letGo = await holdingWallets(client);
    for (const { answer } of first.slice(0, 2)) {
      answer(settled());
      await waitedFor(world.db, 'wallets', 'client_id = $1', [client.id]);
    }
    for (const { answer } of first.slice(2)) answer(settled());
    await neighbourIsPaid();
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(paying);
    expect(ended).toEqual(Array(6).fill('paid'));
    const wallet = await world.db.row('SELECT in_flight_cents, paid_cents FROM wallets WHERE client_id = $1', [
      client.id,
    ]);
    expect(wallet).toEqual({ inFlightCents: 0, paidCents: 6_000 });
  });

  test('what is said of one payout is applied in the order in which it came, beside what is said of others', async () => {
    const payouts = await ofTwoClients();
    for (const { id } of payouts) {
      const driven = world.drive(id);
      (await world.rail.callFor(id)).answer(accepted());
      await driven;
    }
    const asked = await Promise.all(payouts.map(({ id }) => world.payout(id)));
    const letGo = await holdingPayouts(payouts);
    const ended: string[] = [];
    const told = (nth: number): Promise<unknown>[] =>
      asked.map((payout, place) => {
        const fee = { amountCents: nth, currency: payout.currency };
        const fact = { kind: 'accepted', providerRef: 'ref', fee } as const;
        const report = { fact, asked: payout, by: 'lookup' } as const;
        return world
          .get(ApplyRailFact)
          .run(report)
          .then((after) => ended.push(`${place} fee ${after.railFeeCents}`));
      });
    const telling = [1, 2].flatMap(told);
    for (const { id } of payouts) await waitedFor(world.db, 'payouts', 'id = $1', [id]);
    telling.push(...[3, 4, 5].flatMap(told));
    await neighbourIsPaid();
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(telling);
    for (const place of [0, 1])
      expect(ended.filter((line) => line.startsWith(`${place} `))).toEqual(
        [1, 2, 3, 4, 5].map((nth) => `${place} fee ${nth}`),
      );
  });

  test('jobs send what nobody holds, and the others once they can', async () => {
    const payouts = await ofTwoClients();
    const letGo = await holdingPayouts(payouts);
    const driving: Promise<unknown>[] = [];
    for (const { id } of payouts) driving.push(world.drive(id));
    for (const { id } of payouts) await waitedFor(world.db, 'payouts', 'id = $1', [id]);
    world.rail.answers = () => accepted();
    const other = await world.pay(neighbour, await world.payee(neighbour));
    await world.drive(other.id);
    expect(world.rail.calls.map(({ order }) => order.payoutId)).toEqual([other.id]);
    await letGo();
    await Promise.all(driving);
    for (const { id } of payouts) expect(await world.payout(id)).toMatchObject({ status: 'submitted', attempt: 1 });
    expect(world.rail.calls).toHaveLength(3);
  });

  test('releases that wait for a wallet wait in memory, and keep no connection from others', async () => {
    const client = await prepaid(50);
    const held: Payout[] = [];
    for (let nth = 0; nth < 30; nth += 1) held.push(await world.pay(client, await world.payee(client)));
    expect(held[0]).toMatchObject({ status: 'held', shortOf: 'wallet' });
    const deposit = { clientId: client.id, type: 'deposit', currency: 'USD', amountCents: 20_000 } as const;
    await world.get(WalletBook).post({ ...deposit, reference: randomUUID(), note: null });
    const letGo = await holdingWallets(client);
    const ended: string[] = [];
    const remedies = world.get(RemedyPayout);
    const releasing = held.map((payout) => remedies.release(payout, 'client').then(({ status }) => ended.push(status)));
    await waitedFor(world.db, 'wallets', 'client_id = $1', [client.id]);
    const others = Array.from({ length: 30 }, () => world.payee(neighbour));
    expect(await Promise.all(others)).toHaveLength(30);
    await neighbourIsPaid();
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(releasing);
    expect(ended.sort()).toEqual([...Array<string>(20).fill('authorized'), ...Array<string>(10).fill('held')]);
  });
});
