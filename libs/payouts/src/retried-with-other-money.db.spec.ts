/** A payout failed for now, and its rail says since that it has money under its code: of another amount. It is not sent again before somebody looked. */
import { DriftReads } from '#libs/drift';
import type { LookupAnswer } from '#libs/rail-kit';
import { type MoneyWorld, refused, settled, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('a payout that failed, and whose rail speaks of another amount under its code', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test.each(['DE', 'ES'])('is not tried again, and that is named (%s)', async (country) => {
    world.rail.reset();
    const client = await world.client();
    world.rail.answers = () => refused();
    const { id, status } = await world.pay(client, await world.payee(client, { country }), 5_000);
    if (status === 'authorized') await world.drive(id);
    const payout = await world.payout(id);
    expect(payout.status).toBe('failed');
    world.rail.knows.set(payout.railKey, {
      ...settled('other'),
      echo: { amountCents: 6_000, currency: 'USD' },
    } as LookupAnswer);
    world.rail.calls.length = 0;
    world.rail.answers = () => settled('again');
    const after = await world
      .get(RemedyPayout)
      .retry(payout, 'client')
      .catch(() => payout);
    if (after.toSend) await world.drive(id);
    const open = await world.get(DriftReads).list({ open: true }, null, 100);
    expect([world.rail.calls.length, open.filter(({ payoutId }) => payoutId === id).map(({ kind }) => kind)]).toEqual([
      0,
      ['amount_differs'],
    ]);
  });
});
