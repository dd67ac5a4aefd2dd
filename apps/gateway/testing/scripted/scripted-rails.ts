/** Rails of one provider each that a spec plays: what sets them apart are their traits. */
import { defineRail, type RailDefinition, type RailTraits } from '#libs/rail-kit';
import { ScriptedCustodian, ScriptedLegs, ScriptedRail } from './scripted.rail';

const PLAIN = {
  custody: 'claim',
  settles: 'later',
  countries: '*',
  currencies: '*',
  floorCents: 0,
  keyRetentionSeconds: null,
  returns: null,
  releasesOwed: 'on_withdraw',
} as const;

function scripted(name: string, traits: Partial<RailTraits>, Kind = ScriptedRail): RailDefinition {
  const env = `${name.toUpperCase()}_URL`;
  return defineRail({
    name,
    traits: { ...PLAIN, ...traits },
    settings: [{ env, description: 'Where the spec listens.', required: true, secret: false }],
    create: ({ settings: { [env]: url = '' } }) => new Kind(url),
  });
}

export const scriptedRails: RailDefinition[] = [
  /** Says "not now" before it does anything. */
  scripted('busy_rail', {}),
  /** Honours a code for ten seconds. */
  scripted('forgetful_rail', { keyRetentionSeconds: 10 }),
  /** Sends money back, and tells nobody. */
  scripted('quiet_rail', { returns: { withinSeconds: 3_600, listed: false } }),
  /** Rejects a person, and accepts them later. */
  scripted('strict_rail', { custody: 'custodial', releasesOwed: 'on_payable' }, ScriptedCustodian),
  /** Transfers first, pays out then, and pulls back what cannot be paid out. */
  scripted('legged_rail', {}, ScriptedLegs),
];
