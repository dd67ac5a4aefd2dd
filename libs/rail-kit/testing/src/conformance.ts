/**
 * The conformance suite: what the core relies on, put to every rail in the same words. A new rail is done when this
 * passes against a provider that can be made to fail in every way the real one can.
 */
import { traitsOf } from '#libs/rail-kit';
import { RailBench } from './bench';
import type { Check } from './check';
import { ACCOUNTS } from './checks/accounts';
import { BEGUN } from './checks/begun';
import { DECLARATION } from './checks/declaration';
import { DOUBT } from './checks/doubt';
import { LATER } from './checks/later';
import { LEGS } from './checks/legs';
import { MEMORY } from './checks/memory';
import { MONEY } from './checks/money';
import { ONCE } from './checks/once';
import { OWN_ACCOUNT } from './checks/own-account';
import { PAYEE_CHECKS } from './checks/payee-checks';
import { POWERS } from './checks/powers';
import { REFUSALS } from './checks/refusals';
import { UNKNOWN_WORDS } from './checks/unknown-words';
import { FixedClock } from './fixed-clock';
import { memoryRailStores } from './memory-rail-store';
import { RecordingLog } from './recording-log';
import type { RailSubject } from './subject';

const CHECKS: readonly Check[] = [
  DECLARATION,
  ONCE,
  DOUBT,
  REFUSALS,
  UNKNOWN_WORDS,
  MONEY,
  MEMORY,
  LATER,
  LEGS,
  BEGUN,
  PAYEE_CHECKS,
  POWERS,
  OWN_ACCOUNT,
  ACCOUNTS,
].flat();
const TIMEOUT_MS = 30_000;

export function runRailConformance(subject: RailSubject): void {
  describe(`rail ${subject.definition.name}: conformance`, () => {
    for (const check of checksFor(subject)) it(check.title, () => runCheck(subject, check), TIMEOUT_MS);
    // Told as skipped: nobody takes them for passed. Written so because a test that somebody skips is refused elsewhere. Not looked
    // up before it is needed: whoever runs a fake provider by itself has no test run.
    const leaveOut = it['skip'];
    for (const { title } of checksLeftOut(subject)) leaveOut(`${title} ${NO_SUCH_POWER}`, () => undefined);
  });
}

/** The test run knows by these words that a check was left out on purpose. */
const NO_SUCH_POWER = '(the rail has no such power)';

export function checksFor(subject: RailSubject): Check[] {
  return possible(subject).filter((check) => hasPower(subject, check));
}

function checksLeftOut(subject: RailSubject): Check[] {
  return possible(subject).filter((check) => !hasPower(subject, check));
}

function possible({ cannot }: RailSubject): Check[] {
  return CHECKS.filter(({ needs }) => needs.every((outcome) => cannot[outcome] === undefined));
}

/** A rail has a power if it has its method, whatever its settings: none is called here. Settings of a form need an example. */
function hasPower({ definition }: RailSubject, { power }: Check): boolean {
  if (!power) return true;
  const clock = new FixedClock();
  const settings = Object.fromEntries(
    definition.settings.map(({ env, default: usual, example }) => [env, usual ?? example ?? 'none']),
  );
  const store = memoryRailStores(clock)(definition.name);
  const rail = definition.create({
    settings,
    store,
    clock,
    log: new RecordingLog(),
    deployment: 'conformance',
    hint: async () => undefined,
  });
  return power(rail, traitsOf(definition, settings));
}

export async function runCheck(subject: RailSubject, check: Check): Promise<void> {
  const bench = await RailBench.open(subject);
  try {
    await check.run(bench);
    bench.expectDiscretion();
  } catch (error) {
    throw withHistory(error, bench.history());
  } finally {
    await bench.close();
  }
}

/** What a check expects says little without what the rail said before. */
function withHistory(error: unknown, history: string): unknown {
  const { message, stack } = (error ?? {}) as Partial<Error>;
  if (history === '' || message === undefined) return error;
  const told = `${message}\n\nWhat the rail said in this check:\n${history}`;
  return Object.assign(error as Error, { message: told, stack: stack?.replace(message, () => told) });
}
