/** A check is a title and what to do at a bench; the suite is a list of them. */
import type { LookupFact } from '#libs/rail-kit';
import type { RailBench } from './bench';
import type { ProviderOutcome } from './subject';

export interface Check {
  title: string;
  /** The outcomes the provider must be able to show for this check to make sense. */
  needs: readonly ProviderOutcome[];
  run(bench: RailBench): Promise<void>;
}

const ON_ITS_WAY: readonly LookupFact['kind'][] = ['settled', 'accepted', 'awaiting_payee', 'claimed'];

/** The provider's reference, if the fact says that the money is moving or has moved. */
export function refOf(fact: LookupFact): string | null {
  return 'providerRef' in fact ? fact.providerRef : null;
}

export function expectOnItsWay(fact: LookupFact): void {
  expect(ON_ITS_WAY).toContain(fact.kind);
}
