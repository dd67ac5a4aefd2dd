/** A rail that takes no less than so much of a currency, whatever floors there are. */
import { randomUUID } from 'node:crypto';
import { reasonCodeOf } from '#libs/domain';
import { type Client, ClientRegistry } from '#libs/clients';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { CreatePayouts } from './use-cases/create-payouts';
import { PayoutGates } from './use-cases/payout-gates';
import { ReleaseHeld } from './use-cases/release-held';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('the least that a rail takes of a currency', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  const pay = async (client: Client, payee: Payee, amountCents: number, currency = 'GBP'): Promise<Payout> => {
    const intent = { client, payeeId: payee.id, amountCents, currency, idempotencyKey: randomUUID() };
    const more = { ref: null, reason: null, metadata: {}, source: 'payout', actor: 'client' } as const;
    return (await world.get(CreatePayouts).run({ ...intent, ...more })).payout;
  };
  const heldFor = async ({ id }: Payout): Promise<string | null> => reasonCodeOf((await world.payout(id)).statusReason);
  const setFloor = async ({ id }: Client, cents: number): Promise<void> => {
    await world.db.execute('UPDATE clients SET floors = $2 WHERE id = $1', [id, { claim_rail: cents }]);
    world.get(ClientRegistry).changed(id);
  };

  test("stands for the rail's floor, and no floor of a client is lower", async () => {
    const [usual, own] = [await world.client(), await world.client({ floors: { claim_rail: 50 } })];
    const floorOf = (client: Client, currency: string): number =>
      world.get(PayoutGates).floorOf(client, 'claim_rail', currency);
    expect([floorOf(usual, 'USD'), floorOf(usual, 'GBP')]).toEqual([100, 200]);
    expect([floorOf(own, 'USD'), floorOf(own, 'GBP')]).toEqual([50, 200]);
  });

  test('is reached by what came together, at once', async () => {
    const client = await world.client({ floors: { claim_rail: 50 } });
    const payee = await world.payee(client);
    const first = await pay(client, payee, 120);
    expect([await heldFor(first), (await pay(client, payee, 120, 'USD')).status]).toEqual([
      'below_min_payout',
      'authorized',
    ]);
    expect((await pay(client, payee, 80)).status).toBe('authorized');
    expect((await world.payout(first.id)).status).toBe('authorized');
  });

  test('is what a sweep compares with, if a floor was lowered to less', async () => {
    const client = await world.client({ floors: { claim_rail: 500 } });
    const [poor, rich] = [await world.payee(client), await world.payee(client)];
    const held = [await pay(client, poor, 150), await pay(client, rich, 150), await pay(client, rich, 50)];
    await setFloor(client, 50);
    expect(await world.get(ReleaseHeld).accrued()).toBe(2);
    const statuses = await Promise.all(held.map(({ id }) => world.status(id)));
    expect(statuses).toEqual(['held', 'authorized', 'authorized']);
  });

  test('is passed over by a release, and what is no amount of the rail is not', async () => {
    const client = await world.client();
    const payee = await world.payee(client);
    const release = async (payout: Payout): Promise<Payout> =>
      world.get(RemedyPayout).release(await world.payout(payout.id), 'operator');
    expect((await release(await pay(client, payee, 195))).status).toBe('authorized');
    const [much, odd, both] = [
      await pay(client, payee, 900_005),
      await pay(client, payee, 202),
      await pay(client, payee, 3),
    ];
    expect([await heldFor(much), await heldFor(odd)]).toEqual(['amount_not_supported', 'amount_not_supported']);
    expect(await heldFor(both)).toBe('below_min_payout');
    for (const payout of [much, odd, both]) {
      await release(payout);
      expect(await heldFor(payout)).toBe('amount_not_supported');
    }
  });
});
