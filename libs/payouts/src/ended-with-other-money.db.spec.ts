/**
 * A database that was restored has not sent a payout, and its rail says that it has money under that code: of another amount, for its
 * caller asks for another one now. That is no silence.
 */
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import type { LookupAnswer } from '#libs/rail-kit';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled, startMoneyWorld } from '../testing/src';
import { CancelPayout } from './use-cases/cancel-payout';
import { GiveUpPayout } from './use-cases/give-up-payout';

describe('a payout that was never sent, and whose rail speaks of another amount under its code', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const unsent = async (): Promise<Payout> => {
    const payout = await world.pay(client, await world.payee(client, { country: 'DE' }), 5_000);
    expect(payout.status).toBe('authorized');
    world.rail.knows.set(payout.railKey, {
      ...settled('before'),
      echo: { amountCents: 6_000, currency: 'USD' },
    } as LookupAnswer);
    return payout;
  };
  const drift = async ({ id }: Payout): Promise<(number | null)[]> => {
    const open = await world.get(DriftReads).list({ open: true }, null, 100);
    return open.filter(({ payoutId }) => payoutId === id).map(({ railCents }) => railCents);
  };

  test('is not cancelled by its caller, who would pay anew', async () => {
    const payout = await unsent();
    const cancel = world.get(CancelPayout).run(payout);
    await expect(cancel).rejects.toMatchObject({ code: 'payout_not_cancellable' });
  });

  test('has that money named when an operator gives it up', async () => {
    const payout = await unsent();
    const giving = world.get(GiveUpPayout);
    await giving.run(payout, null, false, await giving.ask(payout));
    expect(await drift(payout)).toEqual([6_000]);
  });

  test('has the same amount named, as it is', async () => {
    const payout = await unsent();
    world.rail.knows.set(payout.railKey, settled('before'));
    const giving = world.get(GiveUpPayout);
    await giving.run(payout, null, false, await giving.ask(payout));
    expect(await drift(payout)).toEqual([5_000]);
  });
});
