/** What PayPal says that cannot be: it ends no payout, for whatever came of the payment would be paid a second time. */
import type { Rail, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };
const READ = { method: 'GET', path: '/v1/payments/payouts/' };

describe('claim_rail, of a PayPal that contradicts itself', () => {
  let world: Awaited<ReturnType<typeof paypalWorld>>;
  let rail: Rail;

  beforeEach(async () => {
    const clock = new FixedClock();
    world = await paypalWorld(clock);
    rail = claimRail.create({
      ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    });
  });
  afterEach(() => world.close?.());

  const order = (): RailOrder => testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
  const batchOf = ({ railKey }: RailOrder): string => world.paypal.sentAs(railKey)[0]?.batchId ?? '';

  /** The next reading shows a batch of this status, and in it a payment of that one. */
  function shows(asked: RailOrder, batch: string, item: string): void {
    const header = { sender_batch_id: asked.railKey };
    const amount = { currency: 'USD', value: '10.05' };
    const body = {
      batch_header: { payout_batch_id: batchOf(asked), batch_status: batch, sender_batch_header: header },
      items: [{ payout_item_id: 'ITEM1', transaction_status: item, payout_item: { recipient_type: 'EMAIL', amount } }],
    };
    world.paypal.faults.ask({ effect: 'answer', match: READ, answer: { status: 200, body } });
  }

  it.each([
    ['DENIED', 'SUCCESS'],
    ['DENIED', 'UNCLAIMED'],
    ['DENIED', 'ONHOLD'],
    ['CANCELED', 'SUCCESS'],
    ['CANCELED', 'REFUNDED'],
  ])('leaves a payment in doubt whose batch is %s while it is %s itself', async (batch, item) => {
    const asked = order();
    await rail.submit(asked);
    shows(asked, batch, item);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown', contradicts: true });
    await rail.submit(asked);
    expect(world.paypal.sentAs(asked.railKey)).toHaveLength(1);
  });

  it('does not hold on to a batch that PayPal names for a used name, and that is of another payment', async () => {
    const [asked, other] = [order(), order()];
    await rail.submit(other);
    const href = `https://api-m.paypal.com/v1/payments/payouts/${batchOf(other)}`;
    const body = { name: 'USER_BUSINESS_ERROR', message: 'no.', debug_id: '1', links: [{ href, rel: 'self' }] };
    world.paypal.faults.ask({ effect: 'answer', match: CREATE, answer: { status: 400, body } });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'accepted' });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    expect(world.paypal.sentAs(asked.railKey)).toHaveLength(1);
  });
});
