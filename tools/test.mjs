// `npm test`: everything that must hold, against a real PostgreSQL and a real Redis. Ends with `N passed, N failed`.
//   npm test                          all of it
//   npm test -- unit                  the specs beside the code
//   npm test -- e2e [embedded-1|embedded-4|bull-1|bull-4|browser|crash]
//   npm test -- only <pattern>        the specs whose path matches, wherever they are
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runScript } from './terminal.mjs';
import { findChromium } from './testing/chromium.mjs';
import { startBackends } from './testing/backends.mjs';
import { lint, typeCheck } from './testing/checks.mjs';
import { interrupted, listenForInterrupts } from './testing/group.mjs';
import { choosePlan } from './testing/plan.mjs';
import { runSuite } from './testing/suite.mjs';
import { Tally } from './testing/tally.mjs';

await runScript(async () => {
  const plan = choosePlan(process.argv.slice(2));
  ensureInstalled();
  ensureBuilt();
  listenForInterrupts();
  const tally = new Tally();
  if (plan.checks) await Promise.all([typeCheck(tally), lint(tally)]);
  await runSuites(plan, tally);
  if (interrupted()) throw new Error('Stopped before the end.');
  return tally.sumUp();
});

async function runSuites(plan, tally) {
  const backends = await startBackends();
  try {
    for (const wave of plan.waves) {
      if (interrupted()) return;
      await Promise.all(wave.map((suite) => runOrSkip(suite, backends, tally)));
    }
    if (plan.pattern && !interrupted()) tally.expectSome(`no spec's path matches ${plan.pattern}`);
  } finally {
    await backends.stop();
  }
}

async function runOrSkip(suite, backends, tally) {
  if (suite.needsRedis && !backends.redisUrl) return tally.skip(suite.name, backends.redisMissing);
  const { chromium, missing } = suite.needsChromium ? findChromium() : {};
  if (missing) return tally.skip(suite.name, missing);
  await runSuite(chromium ? { ...suite, env: { ...suite.env, TEST_CHROMIUM: chromium } } : suite, backends, tally);
}
