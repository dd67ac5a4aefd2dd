/** A check is a title and what to do at a bench; the suite is a list of them. */
import type { LookupAnswer, Rail, RailTraits } from '#libs/rail-kit';
import type { RailBench } from './bench';
import type { ProviderOutcome } from './subject';

export interface Check {
  title: string;
  /** The outcomes the provider must be able to show for this check to make sense. */
  needs: readonly ProviderOutcome[];
  /** Which power it is about; a rail without it is not put to this check, and the report says so. */
  power?(rail: Rail, traits: RailTraits): boolean;
  run(bench: RailBench): Promise<void>;
}

const ON_ITS_WAY: readonly LookupAnswer['kind'][] = ['settled', 'accepted', 'awaiting_payee', 'claimed'];

/** The provider's reference, if the fact says that the money is moving or has moved. */
export function refOf(fact: LookupAnswer): string | null {
  return 'providerRef' in fact ? fact.providerRef : null;
}

/** A part of the test's world that only rails with some power need. */
export function given<T>(part: T | undefined, name: string): T {
  if (part === undefined)
    throw new Error(`The rail has a power that needs '${name}' from the test's world: add it there.`);
  return part;
}

export function expectOnItsWay(fact: LookupAnswer): void {
  expect(ON_ITS_WAY).toContain(fact.kind);
}
