// `npm run bench comparisons`: how long it takes to hold what a rail lists against what is known here, for lists that are ever longer. Nothing
// differs; the last column is a list that was read some minutes ago, of which all may be late by now.
import { setTimeout as pause } from 'node:timers/promises';
import { heading, say, took } from '../terminal.mjs';
import { Caller } from './caller.mjs';
import { operatorToken, startGateway } from './gateways.mjs';
import { ms, progress, table, whole } from './report.mjs';
import { afterSeeding, seedPayouts } from './seeding.mjs';
import { Server } from './server.mjs';

const DATABASE = 'bench_comparisons';
const PAYEES = 200;
const LOOK_EVERY_MS = 20;

export async function run(stage, { rows }) {
  const startedAt = performance.now();
  heading('Preparing');
  progress('starting PostgreSQL, with fsync, and a gateway with stand-in rails');
  const server = await Server.start(stage);
  await server.create(DATABASE);
  const { url } = await startGateway(stage, { role: 'api', databaseUrl: server.urlOf(DATABASE) });
  const token = operatorToken(stage);
  const caller = await Caller.register({ url, token, name: 'Bench' });
  await caller.addPayees(url, PAYEES);
  await reconcile(url, token); // from then on it is known since when each rail is compared with
  const results = [];
  for (const [place, size] of rows.entries()) {
    heading(`Comparing ${whole(size)} payouts`);
    await server.session(DATABASE, (client) => seed(client, caller, rows[place - 1] ?? 0, size));
    const compared = (minutesAgo) =>
      server.session(DATABASE, async (client) => {
        await client.query(FROM_THE_BEGINNING, [minutesAgo]);
        const began = performance.now();
        const answer = reconcile(url, token);
        const tookMs = await Promise.race([untilCompared(client, began), answer.then(() => Infinity)]);
        const { did } = await answer;
        const isCompared = did.compared > 0 && did.driftFound === 0 && Number.isFinite(tookMs);
        if (!isCompared) throw new Error(`All was to be compared, and nothing to differ: ${JSON.stringify(did)}`);
        progress(`compared ${whole(did.compared)} in ${ms(tookMs)}`);
        return { count: did.compared, tookMs };
      });
    results.push({ size, first: await compared(0), again: await compared(0), late: await compared(6) });
  }
  heading('What came out');
  const cell = ({ count, tookMs }) => `${ms(tookMs)} (${ms((1000 * tookMs) / count)})`;
  table(
    ['listed', 'for the first time', 'once more', 'six minutes later'],
    results.map(({ first, again, late }) => [whole(first.count), cell(first), cell(again), cell(late)]),
  );
  say('\nIn brackets for 1,000 of them: that is to stay as it is, however long the list becomes.');
  say(took(startedAt));
}

/** What an operator asks for by hand goes on with other work after that. */
async function untilCompared(client, began) {
  while ((await client.query(IS_BEHIND)).rowCount > 0) await pause(LOOK_EVERY_MS);
  return performance.now() - began;
}

async function reconcile(url, token) {
  const answer = await fetch(`${url}/operator/v1/jobs/reconcile/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`The comparison failed: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** And what their rails have in their ledgers of them. */
async function seed(client, { clientId, payees }, from, to) {
  await seedPayouts(client, { clientId, payees, from, to, trail: false });
  await client.query(LEDGERS);
  await afterSeeding(client);
}

const LEDGERS = `
  INSERT INTO rail_records (rail, key, value)
  SELECT provider, 'payment:' || rail_key, jsonb_build_object('settledAt', settled_at, 'providerRef', provider_ref,
    'amountCents', amount_cents, 'currency', currency, 'state', 'settled')
  FROM payouts WHERE settled_at IS NOT NULL ON CONFLICT DO NOTHING`;

/** As if no rail had been compared with since its first payout; what was listed was listed so long ago. */
const FROM_THE_BEGINNING = `
  WITH older AS (UPDATE rail_movements SET listed_at = listed_at - $1::int * interval '1 minute')
  UPDATE rail_scans SET scanned_until = (SELECT min(submitted_at) - interval '1 hour' FROM payouts)`;

const IS_BEHIND = `SELECT FROM rail_scans WHERE scanned_until < now() - interval '10 minutes'`;
