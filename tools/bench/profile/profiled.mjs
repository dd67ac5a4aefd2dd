// Some work, and where the time of the gateway and of PostgreSQL went in it. It costs a little itself: the rates of a profiled
// run are no figures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heading, say } from '../../terminal.mjs';
import { ms, table, whole } from '../report.mjs';
import { sharesOf } from './areas.mjs';
import { Inspector } from './inspector.mjs';
import { watchStatements } from './statements.mjs';

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
/** For whoever wants to see more of them, in Chrome's developer tools or another viewer. */
const KEPT = '.tmp/profiles';
const LEAST_SHARE = 0.01;
const MOST_OF_OURS = 10;

export async function profiled({ server, database, gateways, name }, work) {
  const inspectors = await Promise.all(gateways.map(({ output }) => Inspector.open(output())));
  const watched = await watchStatements(server, database);
  await Promise.all(inspectors.map((inspector) => inspector.begin()));
  const result = await work().catch(async (error) => {
    await watched.end(); // else it would look on
    throw error;
  });
  const processes = await Promise.all(inspectors.map((inspector) => inspector.end()));
  tell(name, processes, await watched.end());
  return result;
}

function tell(name, processes, { statements, waits }) {
  heading(`Profile: ${name}`);
  for (const found of processes) tellProcess(found);
  say(`Kept as ${processes.map(({ profile }, place) => keep(profile, `${name} ${place + 1}`)).join(', ')}.`);
  say('');
  const [{ planShare = 0, allMs = 0 } = {}] = statements;
  const head = `PostgreSQL, ${whole(allMs)} ms, ${percent(planShare)} of it planning`;
  table(
    [head, 'share', 'calls', 'ms a call', 'rows a call'],
    statements.map(({ query, share, calls, planMs, execMs, rows }) => [
      ...[query.slice(0, 90), percent(share), whole(calls), ((planMs + execMs) / calls).toFixed(3)],
      (rows / calls).toFixed(1),
    ]),
  );
  say('');
  tellShares('What its backends do or wait for', waits);
}

function keep(profile, name) {
  const file = join(KEPT, `${name.replace(/[^A-Za-z0-9]+/g, '-')}.cpuprofile`);
  mkdirSync(join(ROOT, KEPT), { recursive: true });
  writeFileSync(join(ROOT, file), JSON.stringify(profile));
  return file;
}

function tellProcess({ profile, delayMs, memory }) {
  const { areas, libs, functions, busyShare } = sharesOf(profile);
  say('');
  tellShares(`The gateway, busy for ${percent(busyShare)}`, areas);
  say('');
  tellShares('of our own code, by lib', libs.slice(0, MOST_OF_OURS));
  say('');
  tellShares('of our own code, by function', functions.slice(0, MOST_OF_OURS));
  const [half, most, worst] = [50, 99, 100].map((share) => ms(delayMs[share]));
  say(`\nIts event loop came back after ${half} (half of the time), ${most} (99 %), ${worst} at most.`);
  const parts = Object.entries(memory).map(([part, bytes]) => `${part} ${whole(bytes / 2 ** 20)}`);
  say(`Its memory at the end, in MiB: ${parts.join(', ')}.`);
}

function tellShares(head, shares) {
  const rows = shares.filter(([, share]) => share >= LEAST_SHARE).map(([what, share]) => [what, percent(share)]);
  table([head, 'share'], rows);
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
