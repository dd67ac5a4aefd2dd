/**
 * Three short seeds of `npm run chaos`, one on each set of processes: rails that lie while everything is killed, stopped and
 * cut off. What must hold is in ../chaos/judge; a failure prints its seed and the history of whom it is about.
 */
import { reportOf } from '../chaos/report';
import { runSeed, type SeedOptions } from '../chaos/run-seed';

const SHORT: Pick<SeedOptions, 'seed' | 'topology'>[] = [
  { seed: 4, topology: 'embedded-4' },
  { seed: 41, topology: 'bull-4' },
  { seed: 30, topology: 'embedded-1' },
];

/** For what hangs; it takes about a minute. */
const DEADLINE_MS = 600_000;

test.each(SHORT)(
  'seed $seed on $topology: no cent too much, nobody forgotten',
  async (short) => {
    const verdict = await runSeed({ ...short, seconds: 20, hurried: true });
    if (verdict.violations.length > 0) throw new Error(reportOf(verdict));
    verdict.forget();
  },
  DEADLINE_MS,
);
