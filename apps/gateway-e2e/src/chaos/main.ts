/** `npm run chaos`: seed by seed, or some of them at once. Returns the exit code; what broke is told with its history. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from './options';
import { lineOf, reportOf } from './report';
import { runSeed, type SeedOptions, type Verdict } from './run-seed';
import type { World } from './world/world';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

export async function main(words: string[]): Promise<number> {
  const { runs, atOnce } = readOptions(words);
  const broken: string[] = [];
  const worlds = new Map<number, World>();
  const stop = (): void =>
    void Promise.all([...worlds.values()].map((world) => world.stop())).finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const waiting = [...runs];
  const takeSeeds = async (): Promise<void> => {
    for (let options = waiting.shift(); options; options = waiting.shift()) {
      const line = await ofSeed(options, (world) => worlds.set(options.seed, world));
      worlds.delete(options.seed);
      if (line) broken.push(line);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeSeeds));
  say(`\n${runs.length - broken.length} of ${runs.length} seeds held.`);
  for (const line of broken) say(line);
  return broken.length === 0 ? 0 : 1;
}

/** null if all is well. */
async function ofSeed(options: SeedOptions, started: (world: World) => void): Promise<string | null> {
  try {
    const verdict = await runSeed(options, started);
    say(lineOf(verdict));
    if (verdict.violations.length > 0) return tell(verdict);
    verdict.forget();
    return null;
  } catch (error) {
    say(`seed ${options.seed} on ${options.topology} could not be run to its end: ${(error as Error).stack}`);
    return `seed ${options.seed} on ${options.topology}: ${(error as Error).message}`;
  }
}

function tell(verdict: Verdict): string {
  const report = reportOf(verdict);
  const { payouts, trail, rows, drift } = verdict.evidence;
  writeFileSync(join(verdict.directory, 'database.json'), JSON.stringify({ payouts, trail, rows, drift }, null, 1));
  writeFileSync(join(verdict.directory, 'report.txt'), report);
  say(report);
  return lineOf(verdict);
}
