// `npm run bench payouts`: what a payout costs, in shares of what PostgreSQL and Nest could do at best, measured in the
// same minutes. Rounds go through everything in turn, so that a busy moment of the machine falls on all of it.
import { heading, say, took, yellow } from '../terminal.mjs';
import { runtimeOf } from '../testing/runtime.mjs';
import { prepareGround } from './payouts/ground.mjs';
import { BARE, LIMIT, MEASURES, ROWS_16, ROWS_64 } from './payouts/measures.mjs';
import { summarize } from './payouts/summary.mjs';
import { progress } from './report.mjs';

export async function run(stage, options) {
  const startedAt = performance.now();
  heading('Preparing');
  if (options.node) stage.node = runtimeOf(options.node) ?? stage.node;
  stage.profiles = options.profile !== null;
  if (stage.profiles) worksNamed({ options }); // a name that is misspelt is told before anything starts
  const ground = await prepareGround(stage, options);
  progress(`limit by ${ground.limit.measuredBy}; load by ${ground.load.generator}`);
  if (ground.limit.isGuess)
    say(yellow('No pgbench to be found: the limit is lower than it really is. Install postgresql-contrib.'));
  if (stage.profiles) return profileWorks(ground);
  const rounds = [];
  for (let round = 1; round <= options.rounds; round++) {
    heading(`Round ${round} of ${options.rounds}, ${options.seconds} s each`);
    rounds.push(await oneRound(ground));
  }
  summarize(rounds, ground);
  say(took(startedAt));
}

async function oneRound(ground) {
  const found = {};
  for (const { name, measure, told } of MEASURES(ground)) {
    found[name] = await measure(found);
    progress(`${name}: ${told(found[name])}`);
  }
  return found;
}

/** Each work whose name has these words in it, once, and where its time went. */
async function profileWorks(ground) {
  for (const { name, measure, told } of worksNamed(ground)) progress(`${name}: ${told(await measure({}))}`);
}

/** The limits have no gateway to look into. */
function worksNamed(ground) {
  const works = MEASURES(ground).filter(({ name }) => ![LIMIT, ROWS_16, ROWS_64, BARE].includes(name));
  const named = works.filter(({ name }) => name.toLowerCase().includes(ground.options.profile.toLowerCase()));
  if (named.length > 0) return named;
  throw new Error(`No work is called so. There are: ${works.map(({ name }) => `'${name}'`).join(', ')}.`);
}
