/** What a rail says it took for a payout: kept as it said last, and nothing else changes for it. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { SubmitFact } from '#libs/rail-kit';
import { accepted, type MoneyWorld, refused, settled, startMoneyWorld } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

describe('the fee of a rail', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });
  afterAll(() => world.stop());

  const taking = (fact: SubmitFact, amountCents: number, currency = 'USD') =>
    ({ ...fact, fee: { amountCents, currency } }) as SubmitFact;
  const sent = async (fact: SubmitFact): Promise<Payout> => {
    world.rail.answers = () => fact;
    const { id } = await world.pay(client, await world.payee(client));
    await world.drive(id);
    return world.payout(id);
  };
  const heard = async (payout: Payout, fact: SubmitFact): Promise<Payout> => {
    world.rail.knows.set(payout.railKey, fact);
    return world.get(AskRail).lookUp(await world.payout(payout.id));
  };
  const feeOf = ({ railFeeCents, railFeeCurrency }: Payout) => [railFeeCents, railFeeCurrency];

  test('is kept with the payment, and is no part of its amount', async () => {
    const payout = await sent(taking(settled(), 25, 'EUR'));
    expect([payout.status, payout.amountCents, ...feeOf(payout)]).toEqual(['paid', 1_000, 25, 'EUR']);
  });

  test('may be told later, and be another then, also after it was paid', async () => {
    const payout = await sent(accepted());
    expect(feeOf(payout)).toEqual([null, null]);
    expect(feeOf(await heard(payout, taking(accepted(), 20)))).toEqual([20, 'USD']);
    const paid = await heard(payout, taking(settled(), 25));
    expect([paid.status, ...feeOf(paid)]).toEqual(['paid', 25, 'USD']);
    const later = await heard(payout, taking(settled(), 30));
    expect([later.status, later.sequence, ...feeOf(later)]).toEqual(['paid', paid.sequence, 30, 'USD']);
    expect(feeOf(await heard(payout, settled()))).toEqual([30, 'USD']);
  });

  test.each([Number.NaN, -1, 0.5, 2 ** 60])('of %d cents is none, and the payment counts', async (cents) => {
    const payout = await sent(taking(settled(), cents));
    expect([payout.status, ...feeOf(payout)]).toEqual(['paid', null, null]);
  });

  test('of a second payment under the code is not its own', async () => {
    const payout = await sent(taking(settled('one'), 25));
    expect(feeOf(await heard(payout, taking(settled('other'), 99)))).toEqual([25, 'USD']);
  });

  test('of what was refused in the end stays on record', async () => {
    const payout = await sent(taking(accepted(), 25));
    const failed = await heard(payout, refused('permanent'));
    expect([failed.status, ...feeOf(failed)]).toEqual(['failed', 25, 'USD']);
  });
});
