/** A check is a title and what to do at a bench; the suite is a list of them. */
import type { LookupAnswer, Rail, RailTraits } from '#libs/rail-kit';
import type { RailBench } from './bench';
import { type ProviderOutcome, REST_SECONDS } from './subject';

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

/** What is wrong, and what to do about it: whoever reads it has only their own rail before them. */
export function demand(isSo: boolean, whatToDo: string): asserts isSo {
  if (!isSo) throw new Error(whatToDo);
}

/** Whether this provider can show it. For what is only a part of a check; a whole one names it in `needs`. */
export const can = ({ subject }: Pick<RailBench, 'subject'>, outcome: ProviderOutcome): boolean =>
  subject.cannot[outcome] === undefined;

/** A provider may say no more than that it took the order: how much it took, the look-up has to tell then. */
export const saysOnlyThatItTook = (fact: LookupAnswer): boolean => fact.kind === 'accepted' && fact.echo === undefined;

/** A rest is as long as the provider wants it: who comes sooner is put off once more, or longer. */
export function expectRest(answer: { kind: string; afterSeconds?: number }): void {
  demand(
    answer.kind === 'not_now',
    `The provider wants a rest, and the rail answers '${answer.kind}': say \`not_now\`.`,
  );
  demand(
    answer.afterSeconds === REST_SECONDS,
    `The provider wants a rest of ${REST_SECONDS} seconds, and the rail says ${String(answer.afterSeconds)}. Pass on what it asks for: ` +
      '`Transport` of libs/rail-transport reads `Retry-After`. If it never says how long, `says_how_long` goes into `cannot`.',
  );
}

export function expectOnItsWay(fact: LookupAnswer): void {
  expect(ON_ITS_WAY).toContain(fact.kind);
}
