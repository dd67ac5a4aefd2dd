/**
 * Random histories of one payout of a rail. Their seed is fixed, so that a test run can be repeated; `npm run histories` runs more of them,
 * and one again that failed.
 */
import fc from 'fast-check';
import { type Ending, History, type HistorySubject } from './history';
import { type Plan, plans } from './plan';

export interface HowMany {
  runs: number;
  seed: number;
  /** One of them again, as a failure names it. */
  path?: string;
}

const SEED = 113;
/** Each try to make a failure smaller is a history. */
const SHRINKS_FOR_MS = 60_000;
const { HISTORIES_SEED, HISTORIES_RUNS, HISTORIES_PATH, HISTORIES_COUNT } = process.env;
const A_DAY_MS = 86_400_000;

/** `runs`: how many in a test run. `endings`: the statuses that must all occur among them, or the histories do not cover what they should. */
export function runRailHistories(subject: HistorySubject, usual: { runs: number; endings: readonly Ending[] }): void {
  const runs = Number(HISTORIES_RUNS ?? usual.runs);
  const seed = Number(HISTORIES_SEED ?? SEED);
  describe(`rail ${subject.definition.name}: histories`, () => {
    it(
      'pay at most what was asked for, and never deny what is out',
      async () => {
        const asked = { runs, seed, ...(HISTORIES_PATH === undefined ? {} : { path: HISTORIES_PATH }) };
        const { wrong, endings } = await (HISTORIES_COUNT ? counted(subject, asked) : firstWrong(subject, asked));
        if (wrong !== null) throw new Error(wrong);
        if (HISTORIES_PATH === undefined) expect(endings).toEqual(expect.arrayContaining([...usual.endings]));
      },
      A_DAY_MS,
    );
  });
}

interface Found {
  /** What went wrong, the steps that led to it, and how to run it again; null: nothing did. */
  wrong: string | null;
  endings: Ending[];
}

/** Stops at the first failure, and shrinks it. */
export async function firstWrong(subject: HistorySubject, { runs, seed, path }: HowMany): Promise<Found> {
  const endings = new Set<Ending>();
  let until = Infinity;
  const lived = fc.asyncProperty(plans, async (plan) => {
    // Past that it counts as one that went well: the smallest so far is told.
    if (performance.now() > until) return;
    try {
      endings.add(await History.run(subject, plan));
    } catch (error) {
      until = Math.min(until, performance.now() + SHRINKS_FOR_MS);
      throw error;
    }
  });
  const which = path === undefined ? { numRuns: runs } : { numRuns: 1, path, endOnFailure: true };
  const found = await fc.check(lived, { seed, ...which });
  return { wrong: found.failed ? told(subject, found) : null, endings: [...endings] };
}

/** Goes on after a failure, and counts how many there are. */
async function counted(subject: HistorySubject, { runs, seed }: HowMany): Promise<Found> {
  const [wrong, endings]: [string[], Set<Ending>] = [[], new Set()];
  for (const plan of fc.sample(plans, { seed, numRuns: runs }))
    await History.run(subject, plan).then(
      (ending) => endings.add(ending),
      (error: Error) => wrong.push(error.message),
    );
  if (wrong.length === 0) return { wrong: null, endings: [...endings] };
  const whatFor = wrong.map((message) => message.split('\n')[0]?.replace(/ \(gw[0-9a-f]+\)/, ''));
  const kinds = [...new Set(whatFor)].map((kind) => `${whatFor.filter((each) => each === kind).length} times: ${kind}`);
  return { wrong: [`${wrong.length} of ${runs} are wrong.`, ...kinds, '', wrong[0]].join('\n'), endings: [...endings] };
}

function told({ definition }: HistorySubject, found: fc.RunDetails<[Plan]>): string {
  const { seed, counterexamplePath, errorInstance, numRuns, numShrinks } = found;
  const again = `npm run histories -- --rail ${definition.name} --seed ${seed} --path ${counterexamplePath ?? ''}`;
  const which = `History ${numRuns} of seed ${seed}, made smaller ${numShrinks} times`;
  return `${which}: ${(errorInstance as Error).message}\n\nOnce more: ${again}`;
}
