// `npm run bench webhooks`: how many events a second reach a receiver, how long after their transaction began, and what
// receivers that fail cost the events of others.
import { heading, say, took } from '../terminal.mjs';
import { runtimeOf } from '../testing/runtime.mjs';
import { startGateway, startReceiver } from './gateways.mjs';
import { Load } from './load.mjs';
import { median, ms, perSecond, progress, table, times, verdict, whole } from './report.mjs';
import { Server } from './server.mjs';
import * as measures from './webhooks/measures.mjs';

const NEIGHBOURS_MAY_COST = 1.1;
const AIM = 0.2;

export async function run(stage, options) {
  const startedAt = performance.now();
  heading('Preparing');
  if (options.node) stage.node = runtimeOf(options.node) ?? stage.node;
  stage.profiles = options.profile;
  progress('starting PostgreSQL, with fsync, and a receiver');
  const server = await Server.start(stage);
  const ground = { stage, server, options, load: new Load(stage), receiver: await startReceiver(stage) };
  await measures.prepare(ground);
  const api = await start(ground, 'api');
  await measures.routes(server);
  const caller = await measures.newCaller(ground, api, ground.receiver);

  heading('Measuring');
  const bare = await measures.bare(ground);
  progress(`bare POSTs to the receiver, by undici: ${perSecond(bare)}`);
  const drained = await measures.backlog(ground, api);
  progress(`events delivered by one worker process: ${perSecond(drained.perSecond)}`);
  await api.stop();
  if (options.profile) return;

  const gateway = await start(ground, 'all');
  const { answering, failing, slow } = await measures.neighbours(ground, gateway);
  await measures.latencies(ground, caller, gateway, answering); // a fresh process is slow at first
  const found = { alone: [], answering: [], failing: [], slow: [] };
  const beside = { alone: [], answering, failing, slow };
  for (let round = 1; round <= options.rounds; round++)
    for (const [name, neighbours] of Object.entries(beside)) {
      found[name].push(await measures.latencies(ground, caller, gateway, neighbours));
      progress(`${TOLD[name]}: ${told(found[name][round - 1])}`);
    }
  summarize({ bare, drained, found, options });
  say(took(startedAt));
}

const TOLD = {
  alone: 'alone',
  answering: 'beside five clients whose receivers answer',
  failing: 'beside five clients whose receivers fail',
  slow: 'beside 36 clients whose receivers take 8 s',
};

const start = ({ stage, server }, role) => startGateway(stage, { role, databaseUrl: server.urlOf(measures.DATABASE) });

const told = ({ events, p50, p95, p99 }) => `${whole(events)} events, p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`;

function summarize({ bare, drained, found, options }) {
  heading('What came out');
  const middle = (rounds, share) => median(rounds.map((round) => round[share]));
  say(
    `Delivered by one worker process: ${perSecond(drained.perSecond)}, ${times(drained.perSecond / bare)} of bare POSTs by undici (${perSecond(bare)}): ${verdict(drained.perSecond / bare >= AIM)}.`,
  );
  if (drained.worker !== null)
    say(
      `CPU for 1,000 of them: ${drained.worker.toFixed(2)} s of the worker, ${drained.postgres.toFixed(2)} s of PostgreSQL.`,
    );
  say(`From the start of the transaction to the first byte; every client has ${options.perSecond} payouts a second:\n`);
  table(
    ['', 'p50', 'p95', 'p99'],
    Object.entries(TOLD).map(([name, text]) => [
      text,
      ...['p50', 'p95', 'p99'].map((share) => ms(middle(found[name], share))),
    ]),
  );
  const cost = middle(found.failing, 'p95') / middle(found.answering, 'p95');
  say(
    `\nBeside 36 slow receivers p95 is ${times(middle(found.slow, 'p95') / middle(found.alone, 'p95'))} of what it is alone.`,
  );
  say(
    `That they fail makes p95 ${times(cost)} of what it is beside as many that answer: ${verdict(cost <= NEIGHBOURS_MAY_COST)}.`,
  );
}
