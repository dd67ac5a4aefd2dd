// One client with as many payouts as asked for, three others with a tenth of that each, and a process to ask.
import { Caller } from '../caller.mjs';
import { operatorToken, startGateway } from '../gateways.mjs';
import { progress, whole } from '../report.mjs';
import { afterSeeding, seedPayouts } from '../seeding.mjs';
import { Server } from '../server.mjs';

const DATABASE = 'bench_lists';
const PAYEES = 200;
const OTHERS = 3;
const TELL_EVERY = 200_000;

export async function prepareLists(stage, rows) {
  progress('starting PostgreSQL and a gateway');
  const server = await Server.start(stage);
  await server.create(DATABASE);
  const gateway = await startGateway(stage, { role: 'api', databaseUrl: server.urlOf(DATABASE) });
  const newCaller = async (name, payees) => {
    const caller = await Caller.register({ url: gateway.url, token: operatorToken(stage), name });
    await caller.addPayees(gateway.url, payees);
    return caller;
  };
  const caller = await newCaller('Bench', PAYEES);
  await server.session(DATABASE, async (client) => {
    await seed(client, caller, rows);
    for (let other = 1; other <= OTHERS; other++)
      await seed(client, await newCaller(`Other ${other}`, PAYEES / 10), Math.ceil(rows / 10));
    progress('VACUUM ANALYZE');
    await afterSeeding(client);
  });
  const session = (work) => server.session(DATABASE, work);
  return { caller, url: gateway.url, session, range: await middleHalf(server, caller.clientId) };
}

/** Without trails: no list reads them. */
async function seed(client, { clientId, payees }, rows) {
  const told = (done) => (done % TELL_EVERY === 0 || done === rows) && progress(`stored ${whole(done)}`);
  await seedPayouts(client, { clientId, payees, to: rows, trail: false, told });
}

/** From and to, with a quarter of the client's payouts on either side. */
async function middleHalf(server, clientId) {
  const [{ first, last }] = await server.query(
    DATABASE,
    'SELECT min(created_at) AS first, max(created_at) AS last FROM payouts WHERE client_id = $1',
    [clientId],
  );
  const quarter = (last.getTime() - first.getTime()) / 4;
  return { createdFrom: new Date(first.getTime() + quarter), createdTo: new Date(last.getTime() - quarter) };
}
