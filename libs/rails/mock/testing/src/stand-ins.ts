/**
 * Stand-ins for the real rails, one of each kind, for tests of the core only: their traits are such as those have, their provider is a
 * ledger like the mock's, and a test turns its pages by writing to the rail's records.
 */
import { defineRail, type RailDefinition, type RailTraits } from '#libs/rail-kit';
import { StandInRail } from './stand-in.rail';

const PATIENT = {
  settles: 'later',
  currencies: '*',
  countries: '*',
  keyRetentionSeconds: 86_400,
  returns: { withinSeconds: 10 * 86_400, listed: false },
} as const;

const standIn = (name: string, traits: RailTraits, required: string[] = []): RailDefinition =>
  defineRail({
    name,
    traits,
    settings: required.map((env) => ({ env, description: 'Never given.', required: true, secret: true })),
    create: (context) => new StandInRail(name, traits.custody, context),
  });

/** Its provider lists nothing of what it moved. */
export const unlistedStandIn: RailDefinition = defineRail({
  name: 'unlisted_rail',
  traits: { ...PATIENT, custody: 'claim', floorCents: 100, releasesOwed: 'on_withdraw' },
  settings: [],
  create: (context) => Object.assign(new StandInRail('unlisted_rail', 'claim', context), { movements: undefined }),
});

export const standInRails: RailDefinition[] = [
  standIn('custodial_a', {
    ...PATIENT,
    custody: 'custodial',
    countries: ['US', 'GB', 'DE', 'FR'],
    currencies: ['USD', 'EUR', 'GBP'],
    floorCents: 100,
    amounts: { GBP: { leastCents: 200, mostCents: 900_000 } },
    releasesOwed: 'on_payable',
  }),
  standIn('custodial_b', {
    ...PATIENT,
    custody: 'custodial',
    floorCents: 2_000,
    amounts: { HUF: { digits: 0 } },
    releasesOwed: 'on_payable',
  }),
  standIn('claim_rail', { ...PATIENT, custody: 'claim', floorCents: 100, releasesOwed: 'on_withdraw' }),
  standIn('swap_rail', { ...PATIENT, custody: 'swap', floorCents: 500, releasesOwed: 'on_credit' }),
  standIn('unwired_rail', { ...PATIENT, custody: 'custodial', floorCents: 0, releasesOwed: 'on_payable' }, [
    'UNWIRED_RAIL_KEY',
  ]),
];
