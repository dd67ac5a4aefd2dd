/** That what rail and simulator say to each other is held against the schema that Tremendous publishes, in every spec of this rail. */
import { readFileSync } from 'node:fs';
import { NO_SCHEMA, publishedSchema } from '#libs/provider-sandbox';
import { giftRail } from './gift-rail';
import { contractWatch } from './gift-rail.world.fake';

const contract = contractWatch();
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

describe("gift_rail against Tremendous's schema", () => {
  if (contract === null) {
    leaveOut(`nothing was held against it ${NO_SCHEMA}`, () => undefined);
    return;
  }

  const reward = {
    ...{ campaign_id: 'C', value: { denomination: 1.05, currency_code: 'EUR' } },
    ...{ recipient: { email: 'ada@example.org' }, delivery: { method: 'LINK' } },
  };
  const order = { id: 'O', created_at: 'now', status: 'EXECUTED' };

  it.each([
    [{}, {}, []],
    [{ language_code: 'de' }, {}, [expect.stringContaining('language_code')]],
    [{ value: { denomination: '1.05' } }, {}, [expect.stringContaining('number')]],
    [{ value: { denomination: 1, currency_code: 'BGN' } }, {}, [expect.stringContaining('allowed values')]],
    [{}, { status: 'CART' }, [expect.stringContaining('allowed values')]],
    [{}, { redeemed_at: 'now' }, [expect.stringContaining('redeemed_at')]],
  ])('complains about what is made up: %p and %p', (made, answered, complaints) => {
    const body = JSON.stringify({ external_id: 'x', reward: { ...reward, ...made } });
    const request = { method: 'POST', path: '/api/v2/orders', query: new URLSearchParams(), headers: {}, body };
    contract.complaints.length = 0;
    contract.see(request, { status: 200, body: { order: { ...order, ...answered } } });
    expect(contract.complaints.map(({ says }) => says)).toEqual(complaints);
  });

  it('pays in currencies that rewards can be in', () => {
    const schema = JSON.parse(readFileSync(publishedSchema('tremendous') as string, 'utf8')) as {
      components: { schemas: Record<string, { enum?: string[] }> };
    };
    const known = schema.components.schemas.ListRewards200ResponseRewardsInnerValueCurrencyCodeEnum?.enum;
    expect(known).toEqual(expect.arrayContaining(giftRail.traits.currencies as string[]));
  });
});
