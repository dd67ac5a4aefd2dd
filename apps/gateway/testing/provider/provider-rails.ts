/**
 * Three rails, one of each kind, whose provider is a process of its own: every call is a real one over HTTP, so that a
 * process can be stopped, and a connection lost, in the middle of it.
 */
import { defineRail, type RailDefinition, type RailTraits } from '#libs/rail-kit';
import { ProviderRail } from './provider.rail';

const PATIENT = {
  settles: 'later',
  currencies: '*',
  countries: '*',
  keyRetentionSeconds: 86_400,
  returns: { withinSeconds: 10 * 86_400, listed: false },
} as const;

/** `unseenMs`: for so long the provider's look-up may not see what it received. */
function providerRail(name: string, traits: RailTraits, unseenMs: number): RailDefinition {
  const env = `${name.toUpperCase()}_URL`;
  return defineRail({
    name,
    traits,
    settings: [{ env, description: 'Where the provider is.', required: true, secret: false }],
    create: (context) =>
      new ProviderRail({ name, custody: traits.custody, baseUrl: context.settings[env] ?? '', unseenMs }),
  });
}

export const providerRails: RailDefinition[] = [
  providerRail('custodial_a', { ...PATIENT, custody: 'custodial', floorCents: 100, releasesOwed: 'on_payable' }, 0),
  providerRail('claim_rail', { ...PATIENT, custody: 'claim', floorCents: 100, releasesOwed: 'on_withdraw' }, 2_000),
  providerRail('swap_rail', { ...PATIENT, custody: 'swap', floorCents: 500, releasesOwed: 'on_credit' }, 2_000),
];
