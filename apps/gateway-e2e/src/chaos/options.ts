/** What `npm run chaos` can be told. */
import { parseArgs } from 'node:util';
import type { SeedOptions } from './run-seed';
import { CHAOS_TOPOLOGIES, type ChaosTopology } from './world/world';

export const USAGE =
  '--seeds N (how many, 3), --first N (the first of them, 1), --seed N (this one alone), --seconds N (of trouble, 120), ' +
  `--topology ${CHAOS_TOPOLOGIES.join('|')} (default: a seed has its own), --at-once N (seeds side by side, 1), ` +
  '--hurried (as among the tests: the operator asks for what schedules would do within a minute)';

/** A seed that is run again meets the same processes, unless it is told otherwise. */
export function topologyOf(seed: number): ChaosTopology {
  return CHAOS_TOPOLOGIES[seed % CHAOS_TOPOLOGIES.length] as ChaosTopology;
}

export function readOptions(words: string[]): { runs: SeedOptions[]; atOnce: number } {
  const text = { type: 'string' } as const;
  const hurried = { type: 'boolean' } as const;
  const options = { seeds: text, first: text, seed: text, seconds: text, topology: text, hurried, 'at-once': text };
  const { values } = parseArgs({ args: words, options, strict: true });
  const topology = values.topology === undefined ? undefined : known(values.topology);
  const seconds = wholeNumber('seconds', values.seconds ?? '120');
  const first = wholeNumber('first', values.seed ?? values.first ?? '1');
  const count = values.seed === undefined ? wholeNumber('seeds', values.seeds ?? '3') : 1;
  const runs = Array.from({ length: count }, (_, index) => {
    const seed = first + index;
    return { seed, seconds, topology: topology ?? topologyOf(seed), hurried: values.hurried };
  });
  return { runs, atOnce: wholeNumber('at-once', values['at-once'] ?? '1') };
}

function known(text: string): ChaosTopology {
  const found = CHAOS_TOPOLOGIES.find((name) => name === text);
  if (!found) throw new Error(`There is no topology '${text}'. Options: ${USAGE}.`);
  return found;
}

function wholeNumber(name: string, text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} takes a whole number, not '${text}'. Options: ${USAGE}.`);
}
