/** That what rail and simulator say to each other is held against the schema that Stripe publishes, in every spec of this rail. */
import { NO_SCHEMA } from '#libs/provider-sandbox';
import { contractWatch } from './custodial-a.world.fake';

const contract = contractWatch();
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

describe("custodial_a against Stripe's schema", () => {
  if (contract === null) {
    leaveOut(`nothing was held against it ${NO_SCHEMA}`, () => undefined);
    return;
  }

  const link = { object: 'account_link', created: 1, expires_at: 2, url: 'https://connect.stripe.com/setup/e/x' };

  it.each([
    [{}, {}, []],
    [{ locale: 'de' }, {}, [expect.stringContaining('locale')]],
    [{ type: 'setup' }, {}, [expect.stringContaining('allowed values')]],
    [{}, { token: 'x' }, [expect.stringContaining('token')]],
  ])('complains about what is made up: %p and %p', (made, answered, complaints) => {
    const form = { account: 'acct_1', type: 'account_onboarding', ...made };
    const body = new URLSearchParams(form).toString();
    const request = { method: 'POST', path: '/v1/account_links', query: new URLSearchParams(), headers: {}, body };
    contract.complaints.length = 0;
    contract.see(request, { status: 200, body: { ...link, ...answered } });
    expect(contract.complaints.map(({ says }) => says)).toEqual(complaints);
  });
});
