/** That what rail and simulator say to each other is held against the schema that Adyen publishes, in every spec of this rail. */
import { NO_SCHEMA } from '#libs/provider-sandbox';
import { contractWatch } from './custodial-b.world.fake';

const contract = contractWatch();
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

describe("custodial_b against Adyen's schema", () => {
  if (contract === null) {
    leaveOut(`nothing was held against it ${NO_SCHEMA}`, () => undefined);
    return;
  }

  const TRANSFER = {
    ...{ amount: { value: 2_000, currency: 'EUR' }, category: 'bank', counterparty: { transferInstrumentId: 'SE1' } },
    ...{ balanceAccountId: 'BA1', priority: 'regular', reference: 'key-1' },
  };
  const MADE = { ...{ id: 'TR1', status: 'received', category: 'bank' }, amount: TRANSFER.amount, counterparty: {} };

  it.each([
    [{}, {}, []],
    [{ metadata: { rail_key: 'key-1' } }, {}, [expect.stringContaining('metadata')]],
    [{ category: 'payout' }, {}, [expect.stringContaining('allowed values')]],
    [{ reference: 'x'.repeat(81) }, {}, [expect.stringContaining('80')]],
    [{}, { token: 'x' }, [expect.stringContaining('token')]],
    [{}, { status: 'landed' }, [expect.stringContaining('allowed values')]],
  ])('complains about what is made up: %p and %p', (made, answered, complaints) => {
    const body = JSON.stringify({ ...TRANSFER, ...made });
    const request = { method: 'POST', path: '/btl/v4/transfers', query: new URLSearchParams(), headers: {}, body };
    contract.complaints.length = 0;
    contract.see(request, { status: 200, body: { ...MADE, ...answered } });
    expect(contract.complaints.map(({ says }) => says)).toEqual(complaints);
  });

  it('complains about a notice that is made up', () => {
    contract.complaints.length = 0;
    contract.seeNotice('balancePlatform.transfer.updated', { environment: 'test', data: { ...MADE, token: 'x' } });
    expect(contract.complaints.map(({ says }) => says)).toEqual([expect.stringContaining('token')]);
  });
});
