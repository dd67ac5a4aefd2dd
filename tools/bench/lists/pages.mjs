// One combination of filters: its first page and a deep one, over HTTP and as the plan of the very statement that the
// service sends, which its own code writes here too.
import { createRequire } from 'node:module';
import pg from 'pg';
import { lib } from '../../docs/compiled.mjs';
import { median } from '../report.mjs';

const { encodeCursor } = lib('domain');
const { PayoutReads } = createRequire(import.meta.url)('../../../dist/libs/payouts/src/db/payout.reads.js');

const LIMIT = 100;
const DEEP_PAGE = 10_000;
const ASKED = 15;
/** From the sixth time on PostgreSQL may keep one plan for a prepared statement; what the service meets is that one. */
const EXECUTIONS = 7;

export async function measureFilter({ caller, url, session }, { filter }) {
  return session(async (client) => {
    const { pages, start } = await deepestPage(client, { ...filter, clientId: caller.clientId });
    const target = (cursor) => `/api/v1/payouts?${new URLSearchParams({ ...query(filter), limit: LIMIT, ...cursor })}`;
    const time = (cursor) => timed(() => caller.call(url, 'GET', target(cursor)));
    const plan = (place) => planOf(client, { ...filter, clientId: caller.clientId, ...place });
    const first = { ms: await time({}), plan: await plan({}) };
    if (!start) return { pages, first, deep: null };
    const cursor2 = encodeCursor({ createdUs: start.created_us, id: start.id });
    const deep = {
      ms: await time({ cursor2 }),
      byTimeMs: await time({ cursor: start.created_at.toISOString() }),
      plan: await plan({ after: { createdUs: start.created_us, id: start.id } }),
      byTimePlan: await plan({ before: start.created_at }),
    };
    return { pages, first, deep };
  });
}

/** Page 10,000, or the last full one, and the row right before it. */
async function deepestPage(client, filter) {
  const { sql, values } = statementOf(filter, DEEP_PAGE * LIMIT);
  const [{ count }] = (await client.query(`SELECT count(*)::int FROM (${sql}) AS rows`, values)).rows;
  const pages = Math.min(DEEP_PAGE, Math.floor(count / LIMIT));
  if (pages < 2) return { pages, start: null };
  const upTo = statementOf(filter, (pages - 1) * LIMIT);
  const last = `SELECT * FROM (${upTo.sql}) AS rows ORDER BY created_at, id LIMIT 1`;
  return { pages, start: (await client.query(last, upTo.values)).rows[0] };
}

/** Caught on its way to the database. `rows` is what it may answer at most. */
function statementOf(filter, rows) {
  let caught;
  const reads = new PayoutReads({ rows: (sql, values) => (caught = { sql, values }) });
  reads.list(filter, rows - 1); // it asks for one more, to see whether there is a next page
  return caught;
}

async function planOf(client, filter) {
  const { sql, values } = statementOf(filter, LIMIT + 1);
  await client.query(`PREPARE page AS ${sql}`);
  const execute = `EXECUTE page (${values.map(literal).join(', ')})`;
  let lines;
  for (let time = 0; time < EXECUTIONS; time++)
    lines = (await client.query(`EXPLAIN (ANALYZE, BUFFERS) ${execute}`)).rows.map((row) => row['QUERY PLAN']);
  await client.query('DEALLOCATE page');
  return readPlan(lines);
}

function literal(value) {
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** The lines of its nodes with what they threw away, without guesses; and what all of it took. */
function readPlan(lines) {
  const nodes = lines
    .slice(
      0,
      lines.findIndex((line) => line.startsWith('Planning')),
    )
    .filter((line) => /^Limit|->|Rows Removed by|Sort Method/.test(line))
    .map((line) => line.replace(/ \(cost=[^)]*\)/, ''));
  const touched = lines.find((line) => line.includes('Buffers:'))?.matchAll(/(?:hit|read)=(\d+)/g) ?? [];
  const buffers = [...touched].reduce((sum, [, count]) => sum + Number(count), 0);
  const [, took = '0'] = /Execution Time: ([0-9.]+) ms/.exec(lines.at(-1)) ?? [];
  return { nodes, buffers, ms: Number(took) };
}

/** The median of several, after one that is not counted. */
async function timed(ask) {
  const took = [];
  for (let time = 0; time <= ASKED; time++) {
    const startedAt = performance.now();
    await ask();
    took.push(performance.now() - startedAt);
  }
  return median(took.slice(1));
}

function query(filter) {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );
}
