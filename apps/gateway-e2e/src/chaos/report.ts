/** What is said of a run: one line if all is well, and otherwise what must never be, with the history behind it. */
import { historyOf } from './judge/history';
import type { Verdict } from './run-seed';

/** Of the same rule, only so many are told with their history. */
const TOLD = 3;

export function lineOf({ options, violations, figures }: Verdict): string {
  const { seed, topology, seconds } = options;
  const counts = Object.entries(figures).map(([name, count]) => `${count} ${name}`);
  const outcome = violations.length === 0 ? 'held' : `BROKEN: ${rulesOf(violations).join('; ')}`;
  return `seed ${seed} on ${topology}, ${seconds} s: ${outcome}\n    ${counts.join(', ')}`;
}

export function reportOf(verdict: Verdict): string {
  const { options, violations, evidence, directory } = verdict;
  const { seed, topology, seconds, hurried } = options;
  const told = new Map<string, number>();
  const parts = violations.flatMap((violation) => {
    const { rule, text } = violation;
    told.set(rule, (told.get(rule) ?? 0) + 1);
    if ((told.get(rule) ?? 0) > TOLD) return [];
    const history = violation.codes || violation.payees ? historyOf(evidence, violation) : [];
    return [`  ${rule}: ${text}`, ...history.map((line) => `      ${line}`), ''];
  });
  const more = [...told].flatMap(([rule, count]) => (count > TOLD ? [`  ${rule}: and ${count - TOLD} more`] : []));
  return [
    `Seed ${seed} broke ${rulesOf(violations).length} rules. Again: ` +
      `npm run chaos -- --seed ${seed} --seconds ${seconds} --topology ${topology}${hurried ? ' --hurried' : ''}`,
    `All that was written down is in ${directory}.`,
    '',
    ...parts,
    ...more,
  ].join('\n');
}

function rulesOf(violations: Verdict['violations']): string[] {
  const counts = new Map<string, number>();
  for (const { rule } of violations) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, count]) => `${rule} (${count})`);
}
