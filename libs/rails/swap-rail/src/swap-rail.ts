/** What the gateway may know about this rail without calling it. */
import { defineRail } from '#libs/rail-kit';
import { AMOUNTS } from './amounts';
import { CircleClient } from './circle.client';
import { CircleNotices } from './circle.notices';
import { CircleSight } from './circle.sight';
import { Destinations } from './destinations';
import { DrainRecords } from './drain-records';
import { SwapRail } from './swap-rail.rail';
import { readSettings, SETTINGS } from './swap-rail.settings';
import { Treasury } from './treasury';
import { Tries } from './tries';
import { Wallets } from './wallets';

export const swapRail = defineRail({
  name: 'swap_rail',
  traits: {
    custody: 'swap',
    knownAs: 'Circle',
    settles: 'later',
    countries: '*',
    // USDC is counted as dollars, one for one: nothing is exchanged.
    currencies: ['USD'],
    floorCents: 500,
    amounts: AMOUNTS,
    // Circle is asked for what is there before anything is sent, however old it is.
    keyRetentionSeconds: null,
    // Money that reached an address on a blockchain does not come back.
    returns: null,
    callsPerSecond: 5,
    releasesOwed: 'on_credit',
    claimPage: 'core',
  },
  settings: SETTINGS,
  create: ({ settings, store, clock, deployment }) => {
    const read = readSettings(settings);
    const client = new CircleClient(read);
    const treasury = new Treasury(client, read);
    const wallets = new Wallets(client, store);
    const parts = {
      ...{ client, wallets, clock, deployment, tokenId: read.tokenId },
      ...{ tries: new Tries(store, clock), drains: new DrainRecords(store, clock) },
      sight: new CircleSight(client, treasury, wallets),
    };
    const destinations = new Destinations({ client, treasury, wallets });
    return new SwapRail(parts, destinations, treasury, new CircleNotices(client, store));
  },
});
