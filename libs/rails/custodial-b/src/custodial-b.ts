/** What the gateway may know about this rail without calling it. */
import { defineRail, Tries } from '#libs/rail-kit';
import { Accounts } from './accounts';
import { AdyenClient } from './adyen.client';
import { AdyenNotices } from './adyen.notices';
import { AdyenSight } from './adyen.sight';
import { CustodialBRail } from './custodial-b.rail';
import { readSettings, SETTINGS } from './custodial-b.settings';
import { Movements } from './movements';
import { Opening } from './opening';
import { PlatformAccount } from './platform-account';

const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ');

/** Where Adyen knows bank accounts of payees, and what it pays out there. It counts all of these as ISO 4217 does. */
const COUNTRIES: Record<string, readonly string[]> = {
  ...Object.fromEntries(EURO.map((country) => [country, ['EUR']])),
  ...{ AU: ['AUD'], CA: ['CAD'], CH: ['CHF', 'EUR'], CZ: ['CZK', 'EUR'], DK: ['DKK', 'EUR'], GB: ['GBP', 'EUR'] },
  ...{ HK: ['HKD'], HU: ['HUF', 'EUR'], NO: ['NOK', 'EUR'], NZ: ['NZD'], PL: ['PLN', 'EUR'], SE: ['SEK', 'EUR'] },
  ...{ SG: ['SGD'], US: ['USD'] },
};

/** Adyen knows a key for seven days at least. An hour less: its clock is not ours. */
const HONOURED_SECONDS = 7 * 86_400 - 3_600;

export const custodialB = defineRail({
  name: 'custodial_b',
  traits: {
    custody: 'custodial',
    knownAs: 'Adyen',
    settles: 'later',
    countries: COUNTRIES,
    currencies: [...new Set(Object.values(COUNTRIES).flat())],
    floorCents: 2_000,
    keyRetentionSeconds: HONOURED_SECONDS,
    looksBeforeCalls: true,
    returns: { withinSeconds: 10 * 86_400, listed: false },
    arrivesWithinDays: 3,
    releasesOwed: 'on_payable',
  },
  settings: SETTINGS,
  create: ({ settings, store, clock, deployment }) => {
    const read = readSettings(settings);
    const client = new AdyenClient(read);
    const parts = { ...read, client, store, clock, deployment };
    const sight = new AdyenSight(parts);
    return new CustodialBRail(
      { ...parts, tries: new Tries(store, clock), sight },
      {
        accounts: new Accounts(parts),
        opening: new Opening(parts),
        notices: new AdyenNotices(read.hmacKeys),
        movements: new Movements({ ...parts, sight }),
        platform: new PlatformAccount(parts),
      },
    );
  },
});
