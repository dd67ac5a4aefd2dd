/** Stripe showed that nothing of a transfer is out, and shows what left for the bank from it after all: nobody is paid twice by that. */
import { randomUUID } from 'node:crypto';
import type { RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock } from '#libs/rail-kit/testing';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail, type StripeWorld } from './open-rail.fake';

describe('custodial_a, of books that contradict themselves', () => {
  const clock = new FixedClock();
  let world: StripeWorld;
  let rail: CustodialARail;
  let asked: RailOrder;

  beforeEach(async () => {
    world = await stripeWorld(clock);
    rail = openRail(world, clock);
    asked = newOrder();
    await rail.submit(asked);
  });
  afterEach(() => world.close?.());

  const leg = (name: string): Promise<SubmitAnswer> =>
    rail.advance(asked, { name, key: randomUUID(), firstSentAt: clock.now() });

  it.each(['in_transit', 'paid'])('sends no other transfer once the payout of a reversed one is %s', async (status) => {
    world.stripe.destines(asked.railKey, 'could_not_process');
    await leg('payout');
    expect(await leg('pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
    const [payout] = world.stripe.payoutsOf(asked.railKey);
    Object.assign(payout ?? {}, { status, failureCode: null });
    await rail.submit(asked);
    expect(world.stripe.transfersOf(asked.railKey)).toHaveLength(1);
  });

  it('calls money that was told as paid once, and never listed so, one that came back', async () => {
    world.stripe.destines(asked.railKey, 'could_not_process');
    const match = { method: 'POST', path: '/v1/payouts' };
    world.stripe.faults.ask({ effect: 'reworded', match, words: { status: 'paid' }, times: 1 });
    expect(await leg('payout')).toMatchObject({ kind: 'settled' });
    await leg('pull_back');
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'bounced', feeCents: 0 });
  });

  it.each([1, 3])('sends no other transfer if that one was reversed before %i others', async (others) => {
    world.stripe.destines(asked.railKey, 'could_not_process');
    for (let tries = 0; tries <= others; tries += 1) {
      clock.advance(3_600);
      await rail.submit(asked);
      await leg('payout');
      expect(await leg('pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
    }
    const [payout] = world.stripe.payoutsOf(asked.railKey);
    Object.assign(payout ?? {}, { status: 'paid', failureCode: null });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown', contradicts: true });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown', contradicts: true });
    expect(world.stripe.transfersOf(asked.railKey)).toHaveLength(others + 1);
  });

  it('tells what both come to if the last one is paid as well', async () => {
    world.stripe.destines(asked.railKey, 'could_not_process');
    await leg('payout');
    expect(await leg('pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
    clock.advance(3_600);
    await rail.submit(asked);
    world.stripe.destines(asked.railKey, null);
    await leg('payout');
    const [first, last] = world.stripe.payoutsOf(asked.railKey);
    Object.assign(last ?? {}, { status: 'paid' });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
    Object.assign(first ?? {}, { status: 'paid', failureCode: null });
    const { amountCents, currency } = asked;
    expect(await rail.lookup(asked)).toMatchObject({
      ...{ kind: 'settled', echo: { amountCents: 2 * amountCents, currency } },
    });
  });

  it('sends no other transfer once the payout of one that was reversed by hand is listed', async () => {
    await leg('payout');
    const [transfer] = world.stripe.transfersOf(asked.railKey);
    world.stripe.books.account(PAYEE).balances.eur = 1_005; // of another transfer
    world.stripe.books.reverse(transfer?.id ?? '', null);
    const body = { object: 'list', url: '/v1/payouts', data: [], has_more: false };
    const match = { method: 'GET', path: '/v1/payouts' };
    world.stripe.faults.ask({ effect: 'answer', match, answer: { status: 200, body } });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
    await rail.submit(asked);
    expect(world.stripe.transfersOf(asked.railKey)).toHaveLength(1);
  });
});
