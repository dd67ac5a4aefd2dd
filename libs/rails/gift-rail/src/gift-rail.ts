/** What the gateway may know about this rail without calling it. */
import { defineRail } from '#libs/rail-kit';
import { Balance } from './balance';
import { GiftRail } from './gift-rail.rail';
import { readSettings, SETTINGS } from './gift-rail.settings';
import { Handovers } from './handovers';
import { Orders } from './orders';
import { PayeeLinks } from './payee-links';
import { Payments } from './payments';
import { Sendings } from './sendings';
import { TremendousClient } from './tremendous.client';
import { TremendousNotices } from './tremendous.notices';

/** Those of two decimals, or none, among the ones that rewards can be in. Tremendous changes them into the balance's. */
const CURRENCIES =
  'USD EUR GBP AUD BRL CAD CHF CZK DKK HKD ILS INR JPY KRW MXN NOK NZD PHP PLN RON SEK SGD THB TRY ZAR'.split(' ');

export const giftRail = defineRail({
  name: 'gift_rail',
  traits: {
    custody: 'claim',
    knownAs: 'Tremendous',
    settles: 'later',
    countries: '*',
    currencies: CURRENCIES,
    floorCents: 100,
    keyRetentionSeconds: null,
    returns: { withinSeconds: 10 * 86_400, listed: false },
    releasesOwed: 'on_withdraw',
    claimPage: 'core',
  },
  settings: SETTINGS,
  create: ({ settings, store, clock }) => {
    const { campaignId, webhookKey, mode, ...connection } = readSettings(settings);
    const client = new TremendousClient({ ...connection, campaignId, webhookKey, mode });
    const orders = new Orders(client);
    const handovers = new Handovers(store, clock);
    const sendings = new Sendings(store, clock);
    return new GiftRail(
      new Payments({ client, orders, handovers, sendings, campaignId }),
      new PayeeLinks({ client, orders, handovers, sendings, clock }),
      new TremendousNotices(client, webhookKey),
      new Balance(client, mode),
    );
  },
});
