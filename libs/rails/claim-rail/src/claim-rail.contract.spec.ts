/** That what rail and simulator say to each other is held against the schema that PayPal publishes, in every spec of this rail. */
import { testOrder } from '#libs/rail-kit/testing';
import { NO_SCHEMA } from '#libs/provider-sandbox';
import { claimRail } from './claim-rail';
import { contractWatch } from './claim-rail.world.fake';

const contract = contractWatch();
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

describe("claim_rail against PayPal's schema", () => {
  if (contract === null) {
    leaveOut(`nothing was held against it ${NO_SCHEMA}`, () => undefined);
    return;
  }

  it.each([
    [{}, []],
    [{ recipient_name: 'Ada' }, [expect.stringContaining('recipient_name')]],
    [{ sender_item_id: 'x'.repeat(64) }, [expect.stringContaining('63')]],
  ])('complains about what is made up: %p', (made, complaints) => {
    const { railKey, payee } = testOrder(claimRail.traits);
    const item = { receiver: payee.email, amount: { value: '1.00', currency: 'USD' }, sender_item_id: railKey };
    const body = JSON.stringify({ sender_batch_header: { sender_batch_id: railKey }, items: [{ ...item, ...made }] });
    const created = { batch_header: { payout_batch_id: 'B', batch_status: 'PENDING', sender_batch_header: {} } };
    const request = { method: 'POST', path: '/v1/payments/payouts', query: new URLSearchParams(), headers: {}, body };
    contract.complaints.length = 0;
    contract.see(request, { status: 201, body: created });
    expect(contract.complaints.map(({ says }) => says)).toEqual(complaints);
  });
});
