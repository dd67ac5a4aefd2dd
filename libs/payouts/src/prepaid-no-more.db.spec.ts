/** A client that paid in before is one that does not any more: what waits for its wallet waits for nothing. */
import { KeepClients } from '#libs/clients';
import { reasonCodeOf } from '#libs/domain';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { CreatePayouts } from './use-cases/create-payouts';

describe('a payout held for the wallet of a client that is prepaid no more', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('goes on by itself, as what its client makes from now on does', async () => {
    const client = await world.client({ prepaid: true });
    const payee = await world.payee(client, { country: 'DE' });
    const { id, statusReason } = await world.pay(client, payee, 1_000);
    expect(reasonCodeOf(statusReason)).toBe('insufficient_funds');
    await world.db.inTransaction(() => world.get(KeepClients).change(client.id, { prepaid: false }));
    await world.work('payees.resolve', client.id);
    expect((await world.pay(client, payee, 1_000)).status).toBe('authorized');
    await world.get(SelfReleaseJobs).sweep();
    await world.get(SelfReleaseJobs).release();
    expect(await world.status(id)).toBe('authorized');
  });

  test('hears of the change, in each currency', async () => {
    const client = await world.client({ prepaid: true });
    const payee = await world.payee(client, { country: 'DE' });
    const made = { client, payeeId: payee.id, amountCents: 1_000, ref: null, reason: null, metadata: {} };
    const paidIn = (currency: string) =>
      world
        .get(CreatePayouts)
        .run({ ...made, currency, idempotencyKey: currency, source: 'payout', actor: 'client' } as const);
    const both = [await paidIn('USD'), await paidIn('EUR')];
    const statuses = () => Promise.all(both.map(({ payout }) => world.status(payout.id)));
    expect(await statuses()).toEqual(['held', 'held']);
    await world.db.inTransaction(() => world.get(KeepClients).change(client.id, { prepaid: false }));
    await world.work('payouts.funded', client.id);
    expect(await statuses()).toEqual(['authorized', 'authorized']);
  });
});
