/** The rail of test mode: it settles inside the call, and fails in every way an order asks it to. */
import { defineRail } from '#libs/rail-kit';
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
  },
  settings: [],
  create: (context) => new MockRail(context),
});
