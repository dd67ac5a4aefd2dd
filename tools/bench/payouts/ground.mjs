// What all rounds of the payouts bench stand on: a server, a live client whose payees go over a rail that is worked by a
// queue, and databases that hold so and so many payouts already.
import { Caller } from '../caller.mjs';
import { operatorToken, startGateway, startReceiver } from '../gateways.mjs';
import { Limit } from '../limit.mjs';
import { Load } from '../load.mjs';
import { progress, whole } from '../report.mjs';
import { profiled } from '../profile/profiled.mjs';
import { afterSeeding, seedPayouts } from '../seeding.mjs';
import { Server } from '../server.mjs';

const EMPTY = 'bench_empty';
const RUN = 'bench_run';
const PAYEES = 200;
const QUEUED_RAIL = 'claim_rail';

export const storing = (size) => `bench_storing_${size}`;

export async function prepareGround(stage, options) {
  const load = new Load(stage);
  progress('starting PostgreSQL, with fsync');
  const server = await Server.start(stage);
  const limit = new Limit(stage, server);
  await limit.prepare();
  const caller = await prepareCaller(stage, server);
  const ground = { stage, server, load, limit, options, caller, receiver: await startReceiver(stage) };
  await storeInAdvance(ground);
  return ground;
}

async function prepareCaller(stage, server) {
  progress(`making a client with ${PAYEES} payees, whose payouts are queued for the stand-in ${QUEUED_RAIL}`);
  await server.create(EMPTY);
  const gateway = await startGateway(stage, { role: 'api', databaseUrl: server.urlOf(EMPTY) });
  await server.query(EMPTY, 'INSERT INTO routes (country, rails) VALUES ($1, $2)', ['US', [QUEUED_RAIL]]);
  const caller = await Caller.register({ url: gateway.url, token: operatorToken(stage), name: 'Bench' });
  await caller.addPayees(gateway.url, PAYEES);
  await gateway.stop();
  return caller;
}

/** Each size grows out of the one before. */
async function storeInAdvance({ server, caller, options: { stored } }) {
  let [template, from] = [EMPTY, 0];
  for (const to of stored) {
    await server.create(storing(to), template);
    const told = (done) => to > 100_000 && done % 200_000 === 0 && progress(`storing payouts: ${whole(done)}`);
    await server.session(storing(to), async (client) => {
      await seedPayouts(client, { clientId: caller.clientId, payees: caller.payees, from, to, told });
      await afterSeeding(client);
    });
    progress(`stored ${whole(to)} payouts`);
    [template, from] = [storing(to), to];
  }
}

/** Fresh processes on a fresh copy of a database that stores so many: what an earlier measurement left to be done weighs on no later one. */
export async function withGateways({ stage, server }, { size, roles }, work) {
  await server.create(RUN, storing(size));
  const gateways = [];
  try {
    for (const role of roles) gateways.push(await startGateway(stage, { role, databaseUrl: server.urlOf(RUN) }));
    return await work(gateways);
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await server.drop(RUN);
  }
}

/** A piece of work whose time counts: if the bench profiles, it tells where it went. */
export function watched({ stage, server }, { gateways, name }, work) {
  return stage.profiles ? profiled({ server, database: RUN, gateways, name }, work) : work();
}

export async function storedNow(server) {
  const [row] = await server.query(
    RUN,
    `SELECT count(*)::int AS all, count(*) FILTER (WHERE status IN ('held', 'failed'))::int AS stopped
     FROM payouts WHERE created_at > now() - interval '1 hour'`,
  );
  return row;
}

/** Written as the indexes on them are: whoever counted all of them would be measured too. */
export async function hasEventsToTell(server) {
  const [{ any }] = await server.query(
    RUN,
    `SELECT EXISTS (SELECT FROM events WHERE status = 'pending' AND attempts = 0)
       OR EXISTS (SELECT FROM events WHERE status = 'pending' AND attempts > 0) AS any`,
  );
  return any;
}

export async function paidSince(server, ms) {
  const [{ count }] = await server.query(
    RUN,
    `SELECT count(*)::int FROM payouts WHERE status = 'paid' AND created_at > to_timestamp($1::float8 / 1000)`,
    [ms],
  );
  return count;
}

export async function someIds(server, count) {
  const rows = await server.query(RUN, 'SELECT id FROM payouts ORDER BY rail_key LIMIT $1', [count]);
  return rows.map(({ id }) => id);
}
