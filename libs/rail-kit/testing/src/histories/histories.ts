/**
 * Random histories of one payout of a rail. Seeds are fixed, so that a test run can be repeated; `npm run histories` runs more of them, and
 * one again that failed.
 */
import fc from 'fast-check';
import { type Ending, History, type HistorySubject } from './history';
import { type Plan, plans } from './plan';

export interface HowMany {
  /** In a test run. */
  runs: number;
  /** How its payouts end, at least once each among so many: else the histories are not what they are meant to be. */
  endings: readonly Ending[];
}

const SEED = Number(process.env.HISTORIES_SEED ?? 113);
const RUNS = process.env.HISTORIES_RUNS;
const AGAIN = process.env.HISTORIES_PATH;
const SHRINKS_FOR_MS = 60_000;

export function runRailHistories(subject: HistorySubject, { runs, endings }: HowMany): void {
  const { name } = subject.definition;
  const numRuns = Number(RUNS ?? runs);
  describe(`rail ${name}: histories`, () => {
    it(
      'pay at most what was asked for, and never deny what is out',
      async () => {
        if (process.env.HISTORIES_COUNT) return counted(subject, numRuns);
        const ended = new Set<Ending>();
        const live = fc.asyncProperty(plans, async (plan) => void ended.add(await History.run(subject, plan)));
        const found = await fc.check(live, {
          ...{ seed: SEED, numRuns, endOnFailure: process.env.HISTORIES_SHRINK === 'no' },
          ...(AGAIN ? { path: AGAIN, endOnFailure: true } : {}),
          ...(RUNS ? {} : { interruptAfterTimeLimit: SHRINKS_FOR_MS }),
        });
        if (found.failed) throw new Error(told(name, found));
        if (!AGAIN) expect([...ended]).toEqual(expect.arrayContaining([...endings]));
      },
      24 * 3_600_000,
    );
  });
}

/** Goes on after one that failed: in how many it is found. */
async function counted(subject: HistorySubject, numRuns: number): Promise<void> {
  const wrong: string[] = [];
  for (const plan of fc.sample(plans, { seed: SEED, numRuns }))
    await History.run(subject, plan).catch((error: Error) => wrong.push(error.message));
  const kinds = [...new Set(wrong.map((message) => message.split('\n')[0]?.replace(/[0-9]+|\(gw.*\)/g, '#')))].join('\n');
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${numRuns} are wrong:\n${kinds}\n\n${wrong[0]}`);
}

function told(name: string, found: fc.RunDetails<[Plan]>): string {
  const { seed, counterexamplePath, errorInstance, numRuns } = found;
  const again = `npm run histories -- --rail ${name} --seed ${seed} --path ${counterexamplePath ?? ''}`;
  return `History ${numRuns} of seed ${seed}: ${(errorInstance as Error).message}\n\nOnce more: ${again}`;
}
