/** A check is a title and what to do at a bench; the suite is a list of them. */
import { randomUUID } from 'node:crypto';
import type { LookupAnswer, Rail, RailOrder, RailTraits } from '#libs/rail-kit';
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

/** Whether anything of it is out, by the provider's books. In legs the first call is out before anything has landed. */
export const hasLeft = async (bench: RailBench, order: RailOrder): Promise<boolean> =>
  (await bench.movements(order)).length > 0 || (await bench.out(order)) > 0;

/** What is out is told, or is unknown: of what is refused or was never seen the rows leave with another payout. */
export async function expectNotDenied(
  bench: RailBench,
  order: RailOrder,
  call: string,
  fact: LookupAnswer,
): Promise<void> {
  if (fact.kind !== 'refused' && fact.kind !== 'never_seen') return;
  demand(
    !(await hasLeft(bench, order)),
    `It was paid, and \`${call}\` answers '${fact.kind}'. Ask the provider about every try that there may have been, the first one and ` +
      'those that follow, and believe a no of one only if none of the others is alive; what it does not tell is `unknown`. ' +
      'A payout that is called refused or unseen is paid once more.',
  );
}

/** The provider's books are kept, ours are not. */
export async function expectKnownAfterRestore(bench: RailBench, order: RailOrder): Promise<void> {
  const before = (await bench.movements(order)).length;
  bench.restore();
  const again = madeAgain(order);
  if (can(bench, 'restored_asked')) await expectNotDenied(bench, again, 'lookup', await bench.lookup(again));
  await expectNotDenied(bench, again, 'submit', await bench.submit(again));
  const moved = (await bench.movements(order)).length;
  demand(
    moved <= Math.max(1, before),
    `The rail's store was empty, as after a restore of the database, and the payout was paid ${moved} times. Ask the provider what is there ` +
      'before anything is sent, or send the first try under the same code as before.',
  );
}

/** As its caller asks for it once more: the ids are ours, and others by then. */
const madeAgain = (order: RailOrder): RailOrder => ({
  ...order,
  payoutId: randomUUID(),
  payee: { ...order.payee, id: randomUUID() },
});

export function expectOnItsWay(fact: LookupAnswer): void {
  expect(ON_ITS_WAY).toContain(fact.kind);
}
