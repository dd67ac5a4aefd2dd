/** Stripe knows a key with other words: those of an older version, or of a database that was restored since. What came of them is listed, and maybe late. */
import { randomUUID } from 'node:crypto';
import type { Fault } from '#libs/provider-sandbox';
import type { RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock } from '#libs/rail-kit/testing';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, SECRET_KEY, stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail, type StripeWorld } from './open-rail.fake';

const empty = (url: string): Fault => ({
  ...{ effect: 'answer', match: { method: 'GET', path: url } },
  answer: { status: 200, body: { object: 'list', url, data: [], has_more: false } },
});
const RICH = { currency: 'EUR', availableCents: 1_000_000, pendingCents: 0 };

describe('custodial_a, whose key Stripe knows with other words', () => {
  let clock: FixedClock;
  let world: StripeWorld;
  let rail: CustodialARail;
  let asked: RailOrder;
  /** Keys, in the order in which Stripe saw them. */
  let keys: string[];

  beforeEach(async () => {
    [clock, keys] = [new FixedClock(), []];
    world = await stripeWorld(clock, ({ method, path, headers }) => {
      if (method === 'POST' && path === '/v1/transfers') keys.push(String(headers['idempotency-key']));
    });
    rail = openRail(world, clock);
    asked = newOrder();
  });
  afterEach(() => world.close?.());

  /** Earlier versions named our payout as well. */
  const asOlderVersionsDid = async ({ railKey }: RailOrder): Promise<number> => {
    const form = {
      ...{
        amount: '1005',
        currency: 'eur',
        destination: PAYEE,
        transfer_group: railKey,
        'metadata[rail_key]': railKey,
      },
      ...{ 'metadata[payout]': randomUUID(), 'metadata[deployment]': 'spec', 'metadata[try]': '1' },
    };
    const headers = { authorization: `Bearer ${SECRET_KEY}`, 'idempotency-key': railKey };
    const url = `${world.settings.CUSTODIAL_A_BASE_URL ?? ''}/v1/transfers`;
    return (await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) })).status;
  };
  const hides = (url: string): void => world.stripe.faults.ask(empty(url));
  const advance = (name: string, key: string, order = asked): Promise<SubmitAnswer> =>
    rail.advance(order, { name, key, firstSentAt: clock.now() });

  it('sends the next key once what came of them would be listed, and nothing is', async () => {
    world.holds?.({ ...RICH, availableCents: 0 });
    expect(await asOlderVersionsDid(asked)).toBe(400);
    world.holds?.(RICH);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    clock.advance(590);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    clock.advance(11);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'accepted', next: { leg: 'payout' } });
    // That of the older version, ours, and the next one: nothing was sent in between.
    expect(keys).toEqual([asked.railKey, asked.railKey, `${asked.railKey}:2`]);
  });

  it('makes no other transfer beside the one that was made of them, though it is listed late', async () => {
    expect(await asOlderVersionsDid(asked)).toBe(200);
    for (const seconds of [0, 300]) {
      clock.advance(seconds);
      hides('/v1/transfers');
      expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    }
    clock.advance(301);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'accepted', next: { leg: 'payout' } });
    expect(world.stripe.transfersOf(asked.railKey)).toHaveLength(1);
  });

  it('keeps a key that another call is at work under', async () => {
    const error = { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'No.' };
    const match = { method: 'POST', path: '/v1/transfers' };
    world.stripe.faults.ask({ effect: 'answer', match, answer: { status: 409, body: { error } } });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    clock.advance(700);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'accepted' });
    expect(keys).toEqual([asked.railKey]);
  });

  it('pays a transfer out once, though its first payout had another name for the statement and is listed late', async () => {
    await rail.submit(asked);
    await rail.submit(newOrder()); // Money of another payout lies in the same account.
    const key = randomUUID();
    world.stripe.faults.ask({ effect: 'cut_after', match: { method: 'POST', path: '/v1/payouts' } });
    expect(await advance('payout', key)).toMatchObject({ kind: 'unknown' });
    const renamed = { ...asked, payerName: 'Another name' };
    hides('/v1/payouts');
    expect(await advance('payout', key, renamed)).toMatchObject({ next: { leg: 'payout', afterSeconds: 660 } });
    clock.advance(300);
    hides('/v1/payouts');
    expect(await advance('payout', key, renamed)).toMatchObject({ next: { leg: 'payout', afterSeconds: 660 } });
    clock.advance(301);
    expect(await advance('payout', key, renamed)).not.toHaveProperty('next');
    expect(world.stripe.payoutsOf(asked.railKey)).toHaveLength(1);
  });

  it('pays out, or pulls back, under the next key what has that of an earlier transfer', async () => {
    const { books } = world.stripe;
    const [payout, pullBack] = [randomUUID(), randomUUID()];
    const becomes = (event: 'pending' | 'verified'): void => books.becomes(books.account(PAYEE), event);
    await rail.submit(asked);
    becomes('pending');
    expect(await advance('payout', payout)).toMatchObject({ next: { leg: 'pull_back' } });
    expect(await advance('pull_back', pullBack)).toMatchObject({ kind: 'refused' });
    becomes('verified');
    // Restored to before all of this.
    rail = openRail(world, clock);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'refused' });
    expect(await rail.submit(asked)).toMatchObject({ next: { leg: 'payout' } });
    expect(await advance('payout', payout)).toMatchObject({ next: { leg: 'payout', afterSeconds: 660 } });
    becomes('pending');
    clock.advance(660);
    expect(await advance('payout', payout)).toMatchObject({ next: { leg: 'pull_back' } });
    expect(await advance('pull_back', pullBack)).toMatchObject({ next: { leg: 'pull_back', afterSeconds: 30 } });
    expect(await advance('pull_back', pullBack)).toMatchObject({ kind: 'refused' });
    expect(world.stripe.transfersOf(asked.railKey).map(({ units, reversedUnits }) => units - reversedUnits)).toEqual([
      0, 0,
    ]);
  });
});
