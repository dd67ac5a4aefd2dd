/** The rail of test mode: it settles inside the call, and fails in every way an order asks it to. */
import { defineRail } from '#libs/rail-kit';
import { custodyOf } from './mock.custody';
import { MockRail } from './mock.rail';

export const mockRail = defineRail({
  name: 'mock',
  traits: {
    custody: 'custodial',
    settles: 'at_once',
    countries: '*',
    currencies: '*',
    floorCents: 100,
    keyRetentionSeconds: null,
    arrivesWithinDays: 1,
    returns: { withinSeconds: 10 * 86_400, listed: false },
    // A test decides when money leaves; rails that send it by themselves are stood in for.
    releasesOwed: 'on_withdraw',
    custodyOf,
    claimPage: 'core',
    claimedWithinDays: 30,
    checksPayees: 'on_request',
  },
  settings: [],
  create: (context) => new MockRail(context),
});
