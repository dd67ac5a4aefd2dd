/** What the gateway may know about this rail without calling it. */
import { defineRail, Tries } from '#libs/rail-kit';
import { Accounts } from './accounts';
import { AMOUNTS } from './amounts';
import { CustodialARail } from './custodial-a.rail';
import { readCrossBorder, readSettings, SETTINGS } from './custodial-a.settings';
import { Movements } from './movements';
import { PlatformAccount } from './platform-account';
import { StripeClient } from './stripe.client';
import { StripeNotices } from './stripe.notices';
import { StripeSight } from './stripe.sight';

const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ');

/** Where Stripe opens accounts of its own, and in what their banks are paid. Others are named by a setting. */
const COUNTRIES: Record<string, readonly string[]> = {
  ...Object.fromEntries(EURO.map((country) => [country, ['EUR']])),
  ...{ AE: ['AED'], AU: ['AUD'], CA: ['CAD', 'USD'], CH: ['CHF', 'EUR'], CZ: ['CZK', 'EUR'], DK: ['DKK', 'EUR'] },
  ...{ GB: ['GBP', 'EUR'], HK: ['HKD'], HU: ['HUF', 'EUR'], JP: ['JPY'], MX: ['MXN'], NO: ['NOK', 'EUR'] },
  ...{ NZ: ['NZD'], PL: ['PLN', 'EUR'], RO: ['RON', 'EUR'], SE: ['SEK', 'EUR'], SG: ['SGD'], TH: ['THB'], US: ['USD'] },
};

/** Stripe forgets a key after 24 hours. An hour less: its clock is not ours. */
const HONOURED_SECONDS = 23 * 3_600;

const currenciesOf = (countries: Record<string, readonly string[]>): string[] => [
  ...new Set(Object.values(countries).flat()),
];

const amountsOf = (currencies: string[]): typeof AMOUNTS =>
  Object.fromEntries(Object.entries(AMOUNTS).filter(([currency]) => currencies.includes(currency)));

export const custodialA = defineRail({
  name: 'custodial_a',
  traits: {
    custody: 'custodial',
    knownAs: 'Stripe',
    settles: 'later',
    countries: COUNTRIES,
    currencies: currenciesOf(COUNTRIES),
    floorCents: 100,
    amounts: amountsOf(currenciesOf(COUNTRIES)),
    keyRetentionSeconds: HONOURED_SECONDS,
    looksBeforeCalls: true,
    arrivesWithinDays: 7,
    returns: { withinSeconds: 10 * 86_400, listed: false },
    callsPerSecond: 20,
    releasesOwed: 'on_payable',
  },
  traitsBy: ({ CUSTODIAL_A_CROSS_BORDER: more = '' }) => {
    const countries = { ...COUNTRIES };
    for (const [country, currency] of readCrossBorder(more)) countries[country] = [currency];
    const currencies = currenciesOf(countries);
    return { countries, currencies, amounts: amountsOf(currencies) };
  },
  settings: SETTINGS,
  create: ({ settings, store, clock, deployment }) => {
    const read = readSettings(settings);
    const client = new StripeClient(read);
    const tries = new Tries(store, clock);
    return new CustodialARail(
      { client, tries, sight: new StripeSight(client, store), clock, deployment },
      {
        accounts: new Accounts({ client, tries, store, clock, crossBorder: read.crossBorder }),
        notices: new StripeNotices(read.webhookSecrets, clock),
        movements: new Movements(client, clock),
        platform: new PlatformAccount(client, read.mode),
      },
    );
  },
});
