/**
 * How the provider behaves towards one call: by the seed, and by what the call is about, so that a seed that is run again
 * treats the same order in the same way, whatever arrives before it.
 */
import { createHash } from 'node:crypto';
import { seededRandom } from '../../harness/seeded-random';
import type { Decision, Order } from './payment';

/** What becomes of a call and its answer. `late`: the deed is done at once, and told so long after. */
export type Delivery =
  | { kind: 'prompt' | 'silent' | 'lost' | 'reset' | 'error_before' | 'error_after' | 'garbage' }
  | { kind: 'late'; afterMs: number }
  | { kind: 'queued'; forMs: number };

type Chances<T> = [chance: number, make: (random: () => number) => T][];

const between = (random: () => number, least: number, most: number): number =>
  Math.round(least + random() * (most - least));

const DECISIONS: Chances<Omit<Decision, 'bounce'>> = [
  [42, (random) => ({ says: 'accepted', does: 'settle', afterMs: between(random, 300, 9_000) })],
  [16, () => ({ says: 'settled', does: 'nothing', afterMs: 0 })],
  [16, () => ({ says: 'transient', does: 'nothing', afterMs: 0 })],
  [4, () => ({ says: 'funding', does: 'nothing', afterMs: 0 })],
  [9, (random) => ({ says: 'transient', does: 'settle', afterMs: between(random, 0, 20_000) })],
  [5, () => ({ says: 'permanent', does: 'nothing', afterMs: 0 })],
  [2, (random) => ({ says: 'permanent', does: 'settle', afterMs: between(random, 0, 20_000) })],
  [4, (random) => ({ says: 'accepted', does: 'refuse', afterMs: between(random, 300, 9_000) })],
];
/** Refused for now and sent again: mostly it is accepted. */
const SECOND_THOUGHTS: Chances<Omit<Decision, 'bounce'>> = [
  [45, (random) => ({ says: 'accepted', does: 'settle', afterMs: between(random, 300, 9_000) })],
  [25, () => ({ says: 'settled', does: 'nothing', afterMs: 0 })],
  [15, () => ({ says: 'transient', does: 'nothing', afterMs: 0 })],
  [10, (random) => ({ says: 'transient', does: 'settle', afterMs: between(random, 0, 20_000) })],
  [5, () => ({ says: 'permanent', does: 'nothing', afterMs: 0 })],
];
const BOUNCES = 0.06;

const SUBMISSIONS: Chances<Delivery> = [
  [60, () => ({ kind: 'prompt' })],
  [9, (random) => ({ kind: 'late', afterMs: between(random, 300, 4_000) })],
  [7, (random) => ({ kind: 'late', afterMs: between(random, 4_000, 25_000) })],
  [6, (random) => ({ kind: 'queued', forMs: between(random, 1_000, 8_000) })],
  [3, () => ({ kind: 'silent' })],
  [3, () => ({ kind: 'lost' })],
  [4, () => ({ kind: 'reset' })],
  [3, () => ({ kind: 'error_before' })],
  [3, () => ({ kind: 'error_after' })],
  [2, () => ({ kind: 'garbage' })],
];
const LOOK_UPS: Chances<Delivery> = [
  [84, () => ({ kind: 'prompt' })],
  [8, (random) => ({ kind: 'late', afterMs: between(random, 300, 6_000) })],
  [2, () => ({ kind: 'lost' })],
  [2, () => ({ kind: 'reset' })],
  [3, () => ({ kind: 'error_before' })],
  [1, () => ({ kind: 'garbage' })],
];

export class Temper {
  /** Once everything heals the provider does what it is asked, at once. */
  mended = false;

  constructor(private readonly seed: number) {}

  decision(order: Order, nth: number): Decision {
    if (this.mended) return { says: 'accepted', does: 'settle', afterMs: 200, bounce: null };
    const random = this.randomOf('decision', order, nth);
    const decision = pick(nth === 1 ? DECISIONS : SECOND_THOUGHTS, random);
    const bounces = random() < BOUNCES;
    const feeCents = between(random, 0, 40);
    return { ...decision, bounce: bounces ? { afterMs: between(random, 2_000, 9_000), feeCents } : null };
  }

  delivery(call: 'submit' | 'lookup', order: Pick<Order, 'rail' | 'code'> & Partial<Order>, nth: number): Delivery {
    if (this.mended) return { kind: 'prompt' };
    return pick(call === 'submit' ? SUBMISSIONS : LOOK_UPS, this.randomOf(call, order, nth));
  }

  /** Codes differ from run to run, as ids do: what the driver chose does not. */
  private randomOf(what: string, { rail, payee, amountCents }: Partial<Order>, nth: number): () => number {
    const words = [this.seed, what, rail, payee, amountCents, nth].join(' ');
    return seededRandom(createHash('sha256').update(words).digest().readUInt32LE());
  }
}

function pick<T>(chances: Chances<T>, random: () => number): T {
  let left = random() * chances.reduce((sum, [chance]) => sum + chance, 0);
  for (const [chance, make] of chances) {
    left -= chance;
    if (left < 0) return make(random);
  }
  throw new Error('There are no chances.');
}
