// `npm run bench <name>`: measures the service against the limits of this very machine, in ratios.
//   npm run bench payouts                 how much of what PostgreSQL and Nest can do is left of a payout
//   npm run bench lists                   what a page of payouts costs, wherever in the list it is
//   npm run bench webhooks                how many events a second are delivered, and how soon
//   npm run bench owed                    what it costs to withdraw what is owed, however many rows it is
//   npm run bench bodies                  for how long the worst bodies keep a process from everything else
//   npm run bench comparisons             how long it takes to compare with what a rail lists, however long that is
//   npm run bench neighbours              what a client at its limits costs another client
//   npm run bench aims                    payouts and webhooks, one after the other: what docs/performance.md tells
// Options follow after `--`: npm run bench payouts -- --quick
import {
  BODIES_OPTIONS,
  COMPARISONS_OPTIONS,
  LISTS_OPTIONS,
  NEIGHBOURS_OPTIONS,
  OWED_OPTIONS,
  PAYOUTS_OPTIONS,
  readOptions,
  WEBHOOKS_OPTIONS,
} from './bench/options.mjs';
import { Stage } from './bench/stage.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runScript } from './terminal.mjs';

/** One file for each bench. It is loaded when it is asked for: what it imports from dist may not be built before. */
const BENCHES = {
  payouts: { options: PAYOUTS_OPTIONS, load: () => import('./bench/payouts.mjs') },
  lists: { options: LISTS_OPTIONS, load: () => import('./bench/lists.mjs') },
  webhooks: { options: WEBHOOKS_OPTIONS, load: () => import('./bench/webhooks.mjs') },
  bodies: { options: BODIES_OPTIONS, load: () => import('./bench/bodies.mjs') },
  neighbours: { options: NEIGHBOURS_OPTIONS, load: () => import('./bench/neighbours.mjs') },
  comparisons: { options: COMPARISONS_OPTIONS, load: () => import('./bench/comparisons.mjs') },
  owed: { options: OWED_OPTIONS, load: () => import('./bench/owed.mjs') },
};

/** Measured one after the other, each on a stage of its own; options go to each. */
const TOGETHER = { aims: ['payouts', 'webhooks'] };

await runScript(async () => {
  const [name, ...words] = process.argv.slice(2);
  const names = TOGETHER[name] ?? [name];
  for (const one of names)
    if (!Object.hasOwn(BENCHES, one ?? ''))
      throw new Error(`${one ? `There is no bench '${one}'.` : 'Which bench?'} There are: ${namesOf()}.`);
  const planned = names.map((one) => ({ ...BENCHES[one], read: readOptions(BENCHES[one].options, words) }));
  ensureInstalled();
  ensureBuilt();
  for (const { load, read } of planned) {
    const { run } = await load();
    await onStage((stage) => run(stage, read));
  }
});

/** Whatever happens, what was started is stopped; when somebody pressed Ctrl-C, that is all there is to say. */
async function onStage(work) {
  const stage = new Stage();
  try {
    return await work(stage);
  } catch (error) {
    throw stage.interrupted ? new Error('Stopped before the end.') : error;
  } finally {
    await stage.close();
  }
}

function namesOf() {
  return [...Object.keys(BENCHES), ...Object.keys(TOGETHER)].map((name) => `npm run bench ${name}`).join(', ');
}
