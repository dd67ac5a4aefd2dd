/** What the rail lists of what moved, and what it leaves to others. */
import { randomUUID } from 'node:crypto';
import type { RailLeg, RailMovement, RailOrder } from '#libs/rail-kit';
import { FixedClock, testOrder } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';
import { openRail, type StripeWorld } from './open-rail.fake';

const CENTS = 1_005;
const DAY = 86_400;

describe('movements of custodial_a', () => {
  let clock: FixedClock;
  let world: StripeWorld;
  let rail: CustodialARail;

  beforeEach(async () => {
    clock = new FixedClock();
    world = await stripeWorld(clock);
    rail = openRail(world, clock);
  });
  afterEach(() => world.close?.());

  const order = (): RailOrder =>
    testOrder(custodialA.traits, { currency: 'EUR', amountCents: CENTS, accountId: PAYEE });
  const sent = async (asked: RailOrder): Promise<string> => {
    const said = await rail.submit(asked);
    return said.kind === 'accepted' ? said.providerRef : said.kind;
  };
  const leg = (asked: RailOrder, name: string): Promise<unknown> => {
    const call: RailLeg = { name, key: randomUUID(), firstSentAt: clock.now() };
    return rail.advance(asked, call);
  };
  /** Days from now. */
  async function listed(since: number, until?: number): Promise<Partial<RailMovement>[]> {
    const at = (days: number): Date => new Date(clock.now().getTime() + days * DAY * 1_000);
    const all: RailMovement[] = [];
    for await (const page of rail.movements(at(since), until === undefined ? undefined : at(until))) all.push(...page);
    return all.map(({ railKey, deployment, direction, amountCents, currency, providerRef }) => ({
      ...{ railKey, deployment, direction, amountCents, currency, providerRef },
    }));
  }
  const moved = ({ railKey }: RailOrder, providerRef: string, direction: 'out' | 'back', amountCents = CENTS) => ({
    ...{ railKey, deployment: 'spec', direction, amountCents, currency: 'EUR', providerRef },
  });

  it('are what left for a payee, and what came back from it long after, under the same name', async () => {
    const asked = order();
    const ref = await sent(asked);
    world.stripe.destines(asked.railKey, 'account_closed');
    await leg(asked, 'payout');
    clock.advance(20 * DAY);
    await leg(asked, 'pull_back');
    const [out, back] = [moved(asked, ref, 'out'), moved(asked, ref, 'back')];
    expect(await listed(-30)).toEqual([out, back]);
    expect(await listed(-1)).toEqual([back]);
    // As it is by now, and not as it was then.
    expect(await listed(-21, -19)).toEqual([out, back]);
    expect(await listed(-19, -1)).toEqual([]);
  });

  it('are listed once however often part of them came back, with all that did', async () => {
    const asked = order();
    const ref = await sent(asked);
    for (const units of [5, 100]) world.stripe.books.reverse(ref, units);
    expect(await listed(-1)).toEqual([moved(asked, ref, 'out'), moved(asked, ref, 'back', 105)]);
  });

  it('are not what Stripe refused, nor what the platform sent for something else', async () => {
    world.stripe.fund('eur', 0);
    await sent(order());
    world.stripe.fund('eur', 100_000);
    const byHand = { destination: PAYEE, units: 5, currency: 'eur', group: null, metadata: {} };
    world.stripe.books.reverse(world.stripe.books.transfer(byHand).id, null);
    expect(await listed(-1)).toEqual([]);
  });

  it('are listed page by page', async () => {
    const orders = Array.from({ length: 120 }, order);
    for (const asked of orders) await sent(asked);
    const railKeys = (await listed(-1)).map(({ railKey }) => railKey);
    expect(railKeys.reverse()).toEqual(orders.map(({ railKey }) => railKey));
  });

  it('are not listed at all if one page is not to be had', async () => {
    await sent(order());
    world.stripe.faults.ask({ effect: 'server_error', match: { method: 'GET', path: '/v1/events' } });
    await expect(listed(-1)).rejects.toThrow('Stripe listed no transfers');
  });
});
