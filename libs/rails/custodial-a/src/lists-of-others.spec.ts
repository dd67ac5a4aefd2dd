/** What Stripe lists is held against what was asked for: a page of others says nothing of a payout, and another event is not that it was paid. */
import { randomUUID } from 'node:crypto';
import type { RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock } from '#libs/rail-kit/testing';
import type { CustodialARail } from './custodial-a.rail';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail, type StripeWorld } from './open-rail.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('custodial_a, when Stripe lists what was not asked for', () => {
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
  const rewords = (path: string, words: Record<string, string>): void =>
    world.stripe.faults.ask({ effect: 'reworded', match: { method: 'GET', path }, words });

  it('calls nothing unseen, and sends nothing, for a page of the transfers of others', async () => {
    rewords('/v1/transfers', { rail_key: 'of-others' });
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
    clock.advance(25 * 3_600); // Stripe knows no key any more
    rewords('/v1/transfers', { rail_key: 'of-others' });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(world.stripe.transfersOf(asked.railKey)).toHaveLength(1);
  });

  it('does not take another event of a payout for the one that says that it was paid', async () => {
    world.stripe.destines(asked.railKey, 'could_not_process');
    await leg('payout');
    const [payout] = world.stripe.payoutsOf(asked.railKey);
    if (!payout) throw new Error('It was not paid out.');
    const event = JSON.parse(world.stripe.notice({ type: 'payout.failed', payout }).body) as object;
    const body = { object: 'list', url: '/v1/events', data: [event], has_more: false };
    const match = { method: 'GET', path: '/v1/events' };
    world.stripe.faults.ask({ effect: 'answer', match, times: 9, answer: { status: 200, body } });
    await leg('pull_back');
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
  });
});
