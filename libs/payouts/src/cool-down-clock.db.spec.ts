/** A change of address is dated by the clock that payouts are dated by, whatever the process that hears of it thinks. */
import { systemClock } from '#libs/domain';
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('an address that changes, as a process hears whose clock is slow', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test('gets nothing that was held since before that', async () => {
    const client = await world.client();
    const payee = await world.payee(client);
    const held = await world.pay(client, payee, 50);
    expect(held.status).toBe('held');
    const real = systemClock.now.bind(systemClock);
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(real().getTime() - 300_000));
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'eve@example.com' });
    await world.get(RemedyPayout).release(await world.payout(held.id), 'client');
    expect(await world.payout(held.id)).toMatchObject({
      status: 'held',
      statusReason: expect.stringMatching(/^not_payable/) as string,
    });
  });

  test('keeps what is owed for as long as its client wants, as a process sees it whose clock is fast', async () => {
    const client = await world.client({ coolDownSeconds: 3600 });
    const payee = await world.payee(client);
    const held = await world.pay(client, payee, 50);
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'eve@example.com' });
    const real = systemClock.now.bind(systemClock);
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(real().getTime() + 7_200_000));
    await world.get(RemedyPayout).release(await world.payout(held.id), 'client');
    expect(await world.payout(held.id)).toMatchObject({
      status: 'held',
      statusReason: expect.stringMatching(/^not_payable/) as string,
    });
  });
});
