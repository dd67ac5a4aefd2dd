/**
 * The conformance suite: what the core relies on, put to every rail in the same words. A new rail is done when this
 * passes against a provider that can be made to fail in every way the real one can.
 */
import { RailBench } from './bench';
import type { Check } from './check';
import { DECLARATION } from './checks/declaration';
import { DOUBT } from './checks/doubt';
import { MEMORY } from './checks/memory';
import { MONEY } from './checks/money';
import { ONCE } from './checks/once';
import { POWERS } from './checks/powers';
import { REFUSALS } from './checks/refusals';
import type { RailSubject } from './subject';

const CHECKS: readonly Check[] = [...DECLARATION, ...ONCE, ...DOUBT, ...REFUSALS, ...MONEY, ...MEMORY, ...POWERS];
const TIMEOUT_MS = 30_000;

export function runRailConformance(subject: RailSubject): void {
  describe(`rail ${subject.definition.name}: conformance`, () => {
    for (const check of checksFor(subject)) it(check.title, () => runCheck(subject, check), TIMEOUT_MS);
  });
}

export function checksFor({ cannot }: RailSubject): Check[] {
  return CHECKS.filter(({ needs }) => needs.every((outcome) => cannot[outcome] === undefined));
}

export async function runCheck(subject: RailSubject, check: Check): Promise<void> {
  const bench = await RailBench.open(subject);
  try {
    await check.run(bench);
    bench.expectDiscretion();
  } finally {
    await bench.close();
  }
}
