/** What the gateway may know about this rail without calling it. */
import { defineRail } from '#libs/rail-kit';
import { ClaimRail } from './claim-rail.rail';
import { readSettings, SETTINGS } from './claim-rail.settings';
import { PaypalClient } from './paypal.client';
import { PaypalNotices } from './paypal.notices';
import { HONOURED_SECONDS, Tries } from './tries';

/** The currencies that PayPal pays out to accounts abroad. */
const CURRENCIES = 'AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' ');

/** PayPal counts these without decimals; ISO 4217 gives them two. */
const AMOUNTS = { HUF: { digits: 0 }, TWD: { digits: 0 } };

export const claimRail = defineRail({
  name: 'claim_rail',
  traits: {
    custody: 'claim',
    settles: 'later',
    countries: '*',
    currencies: CURRENCIES,
    floorCents: 100,
    amounts: AMOUNTS,
    keyRetentionSeconds: HONOURED_SECONDS,
    returns: { withinSeconds: 10 * 86_400, listed: false },
    releasesOwed: 'on_withdraw',
    claimPage: 'core',
    claimedWithinDays: 30,
    knownAs: 'PayPal',
  },
  settings: SETTINGS,
  create: ({ settings, store, clock }) => {
    const read = readSettings(settings);
    const client = new PaypalClient(read, clock);
    const account = { words: { amounts: AMOUNTS }, mode: read.mode };
    return new ClaimRail(client, new Tries(store, clock), new PaypalNotices(read, store), account);
  },
});
