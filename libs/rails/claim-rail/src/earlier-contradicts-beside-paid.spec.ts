/** The second batch of a payout is paid, and PayPal shows the first one, which it denied, with a payment that went out: that is more than was asked for. */
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

it('claim_rail does not call that settled as asked', async () => {
  const clock = new FixedClock();
  const world = await paypalWorld(clock);
  const rail = claimRail.create({
    ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
    ...{ hint: async () => undefined, settings: world.settings },
  });
  const asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
  world.paypal.register(asked.payee.email ?? '');
  world.paypal.state.balances.USD = 0;
  await rail.submit(asked);
  expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
  clock.advance(61);
  world.paypal.state.balances.USD = 100_000;
  await rail.submit(asked);
  expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled', echo: { amountCents: 1_005 } });
  const first = world.paypal.sentAs(asked.railKey).find(({ senderBatchId }) => senderBatchId === asked.railKey);
  const amount = { currency: 'USD', value: '10.05' };
  const body = {
    batch_header: {
      ...{ payout_batch_id: first?.batchId, batch_status: 'DENIED' },
      sender_batch_header: { sender_batch_id: asked.railKey },
    },
    items: [{ payout_item_id: 'I1', transaction_status: 'SUCCESS', payout_item: { recipient_type: 'EMAIL', amount } }],
  };
  const match = { method: 'GET', path: `/v1/payments/payouts/${first?.batchId}` };
  world.paypal.faults.ask({ effect: 'answer', match, answer: { status: 200, body } });
  expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled', echo: { amountCents: 2_010 } });
  await world.close?.();
});
