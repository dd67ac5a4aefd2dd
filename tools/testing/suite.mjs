// One Jest run and what its report says. A test that was skipped has failed, unless what it needs is not here.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heading, took } from '../terminal.mjs';
import { runInGroup } from './group.mjs';
import { runtimeOf } from './runtime.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** For what hangs: on a busy machine the crashes take twenty minutes. */
const LIMIT_MS = 40 * 60_000;

export async function runSuite(suite, backends, tally) {
  const startedAt = performance.now();
  heading(suite.name);
  if (!existsSync(join(ROOT, suite.config))) return tally.add(suite.name, 0, [`${suite.config} is missing`]);
  const directory = mkdtempSync(join(tmpdir(), 'payout-gateway-report-'));
  const report = join(directory, 'report.json');
  const run = await runInGroup(commandOf(suite, report), {
    cwd: ROOT,
    env: { ...environment(backends), ...runtime(suite), ...suite.env },
    show: true,
    limitMs: LIMIT_MS,
  });
  const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
  rmSync(directory, { recursive: true });
  const { passed, leftOut, skipped, untried, failures } = readResults(results, backends);
  tally.leaveOut(leftOut);
  for (const name of skipped) tally.skip(name, backends.redisMissing);
  for (const { name, reason } of untried) tally.skip(name, reason);
  tally.add(suite.name, passed, [...failures, ...troubles(suite, run, results, failures)], took(startedAt));
}

function commandOf({ config, pattern }, report) {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const chosen = pattern ? ['--passWithNoTests', '--testPathPatterns', pattern] : [];
  return [
    process.execPath,
    jest,
    '--config',
    config,
    '--ci',
    '--forceExit',
    '--json',
    `--outputFile=${report}`,
    ...chosen,
  ];
}

function environment({ databaseUrl, redisUrl }) {
  return {
    NODE_ENV: 'test',
    TEST_DATABASE_URL: databaseUrl,
    ...(redisUrl ? { TEST_REDIS_URL: redisUrl } : {}),
    ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
  };
}

function runtime(suite) {
  const program = runtimeOf(suite.runtime);
  return program ? { TEST_RUNTIME: program } : {};
}

/** How the conformance suite of the rails ends the title of a check that a rail is not put to. */
const NO_SUCH_POWER = '(the rail has no such power)';

/** How the title of a test ends that lacks something which is not everywhere, and what the summary says then. */
const MISSING = {
  // They lie beside the repository, where somebody put them.
  "(the provider's schema is not here)": 'without ../shared/rails nothing is held against what the provider publishes',
  // Rules of Prometheus are judged by its own tool, which Debian has.
  '(promtool is not to be had)': 'without promtool nobody judged docker/alerts.yml',
  "(a PostgreSQL of one's own is not to be had)": 'without a PostgreSQL of its own nothing was dumped and restored',
  '(python3 is not to be had)': 'without python3 the Python client was not tried',
  '(mypy is not to be had)': 'without mypy nobody held the types of the Python client against its code',
};

function readResults(files, { redisMissing }) {
  const outcome = { passed: 0, leftOut: 0, skipped: [], untried: [], failures: [] };
  for (const file of files) {
    const path = relative(ROOT, file.name);
    if (file.status === 'failed' && file.assertionResults.length === 0) outcome.failures.push(`${path} did not run`);
    for (const { status, fullName } of file.assertionResults)
      count(outcome, status, `${path}: ${fullName}`, redisMissing);
  }
  return outcome;
}

function count(outcome, status, name, redisMissing) {
  const lacks = Object.keys(MISSING).find((ending) => name.endsWith(ending));
  if (status === 'passed') outcome.passed += 1;
  else if (status === 'failed') outcome.failures.push(name);
  else if (status === 'pending' && name.endsWith(NO_SUCH_POWER)) outcome.leftOut += 1;
  else if (status === 'pending' && lacks) outcome.untried.push({ name, reason: MISSING[lacks] });
  else if (redisMissing && /redis|bull/i.test(name)) outcome.skipped.push(name);
  else outcome.failures.push(`${name} (${status})`);
}

/** What goes wrong around the tests; each counts as one. */
function troubles(suite, { code, left }, results, failures) {
  const found = left.map((command) => `left this process running: ${command}`);
  if (code !== 0 && failures.length === 0) found.push(`Jest ended with ${code}`);
  if (code === 0 && results.length === 0 && !suite.pattern) found.push('it has no tests');
  return found;
}
