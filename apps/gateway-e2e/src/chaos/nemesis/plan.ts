/** What goes wrong and when, from the seed alone: the same seed makes the same plan, whatever it then meets. */
import { seededRandom } from '../../harness/seeded-random';
import type { Moment } from '../provider/control';

/** A number from 0 to 1 picks which process; the plan does not know how many there are. */
export type Mischief =
  | { kind: 'kill'; which: number; downMs: number }
  | { kind: 'replace'; which: number }
  | { kind: 'freeze'; which: number; howMany: number; forMs: number }
  | { kind: 'end_sessions'; share: number }
  | { kind: 'restart_postgres' }
  | { kind: 'pause_postgres'; forMs: number }
  | { kind: 'flush_redis' }
  | { kind: 'restart_redis'; downMs: number }
  | { kind: 'freeze_provider' | 'restart_provider'; forMs: number }
  | AtMoment;

/** Waits for a call to the provider that is like this, and strikes the process that made it. */
export interface AtMoment {
  kind: 'at_moment';
  stage: Moment['stage'];
  about: 'submission' | 'refusal' | 'look_up';
  strike: 'freeze' | 'kill' | 'end_sessions' | 'restart_postgres';
  forMs: number;
}

export interface Planned {
  atMs: number;
  mischief: Mischief;
}

type Make = (random: () => number) => Mischief;

const SLEEP_MS = { least: 8_000, most: 20_000 };
const GAP_MS = { least: 400, most: 3_600 };
/** At the end there is time to wake up. */
const QUIET_MS = 2_000;

const between = (random: () => number, { least, most }: { least: number; most: number }): number =>
  Math.round(least + random() * (most - least));
const sleep = (random: () => number): number => between(random, SLEEP_MS);
/** In a short run nobody sleeps for longer than it takes others to take over. */
const sleepIn = (seconds: number, forMs: number): number => Math.min(forMs, Math.max(SLEEP_MS.least, seconds * 300));
const moment = (stage: Moment['stage'], about: AtMoment['about'], strike: AtMoment['strike']): Make => {
  return (random) => ({ kind: 'at_moment', stage, about, strike, forMs: sleep(random) });
};

const MISCHIEF: [weight: number, make: Make][] = [
  [10, (random) => ({ kind: 'kill', which: random(), downMs: between(random, { least: 0, most: 2_500 }) })],
  [3, (random) => ({ kind: 'replace', which: random() })],
  [8, (random) => ({ kind: 'freeze', which: random(), howMany: 1, forMs: sleep(random) })],
  [4, (random) => ({ kind: 'freeze', which: random(), howMany: 2 + Math.floor(random() * 2), forMs: sleep(random) })],
  [5, (random) => ({ kind: 'end_sessions', share: 0.15 + random() * 0.5 })],
  [3, () => ({ kind: 'end_sessions', share: 1 })],
  [7, () => ({ kind: 'restart_postgres' })],
  [4, (random) => ({ kind: 'pause_postgres', forMs: between(random, { least: 1_000, most: 15_000 }) })],
  [4, () => ({ kind: 'flush_redis' })],
  [4, (random) => ({ kind: 'restart_redis', downMs: between(random, { least: 0, most: 6_000 }) })],
  [3, (random) => ({ kind: 'freeze_provider', forMs: between(random, { least: 2_000, most: 9_000 }) })],
  [2, (random) => ({ kind: 'restart_provider', forMs: between(random, { least: 500, most: 5_000 }) })],
  [12, moment('answering', 'refusal', 'freeze')],
  [5, moment('answering', 'submission', 'freeze')],
  [4, moment('received', 'submission', 'freeze')],
  [3, moment('answering', 'look_up', 'freeze')],
  [3, moment('answering', 'submission', 'kill')],
  [2, moment('received', 'submission', 'kill')],
  [2, moment('answering', 'refusal', 'end_sessions')],
  [2, moment('answering', 'submission', 'end_sessions')],
  [2, moment('answering', 'submission', 'restart_postgres')],
];

export function planOf(seed: number, seconds: number, hasRedis: boolean): Planned[] {
  const random = seededRandom(seed);
  const plan: Planned[] = [];
  for (let atMs = 0; ;) {
    atMs += between(random, GAP_MS);
    if (atMs > seconds * 1_000 - QUIET_MS) return plan;
    const mischief = shortened(pick(random)(random), seconds);
    if (hasRedis || !mischief.kind.endsWith('redis')) plan.push({ atMs, mischief });
  }
}

function shortened(mischief: Mischief, seconds: number): Mischief {
  const sleeps = mischief.kind === 'freeze' || mischief.kind === 'at_moment';
  return sleeps ? { ...mischief, forMs: sleepIn(seconds, mischief.forMs) } : mischief;
}

function pick(random: () => number): Make {
  let left = random() * MISCHIEF.reduce((sum, [weight]) => sum + weight, 0);
  const found = MISCHIEF.find(([weight]) => (left -= weight) < 0);
  return (found ?? MISCHIEF[0])?.[1] as Make;
}
