// What PostgreSQL does meanwhile: the time of its statements, as it counts them itself, and what its backends wait for.
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 10;
const MOST = 12;

/** Before it starts for good: it counts statements only if it is told so at its start. */
export async function countStatements(server) {
  await server.query('postgres', `ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
  await server.query('postgres', `ALTER SYSTEM SET pg_stat_statements.track_planning = 'on'`);
}

export async function watchStatements(server, database) {
  await server.query(database, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await server.query(database, 'SELECT pg_stat_statements_reset()');
  const waits = new Map();
  let isOver = false;
  const looking = server.session(database, async (client) => {
    while (!isOver) {
      const { rows } = await client.query(WAITING);
      for (const { what, count } of rows) waits.set(what, (waits.get(what) ?? 0) + count);
      await pause(LOOK_MS);
    }
  });
  return {
    async end() {
      isOver = true;
      await looking;
      return { statements: await server.query(database, STATEMENTS, [MOST]), waits: sharesOf(waits) };
    },
  };
}

function sharesOf(waits) {
  const all = [...waits.values()].reduce((sum, count) => sum + count, 0);
  return [...waits].map(([what, count]) => [what, count / all]).sort((a, b) => b[1] - a[1]);
}

const WAITING = `
  SELECT coalesce(wait_event_type || ': ' || wait_event, 'works') AS what, count(*)::int AS count
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
  GROUP BY 1`;

const STATEMENTS = `
  SELECT regexp_replace(left(query, 160), '\\s+', ' ', 'g') AS query, calls::int AS calls, rows::int AS rows,
    total_plan_time AS "planMs", total_exec_time AS "execMs",
    (total_plan_time + total_exec_time) / sum(total_plan_time + total_exec_time) OVER () AS share,
    sum(total_plan_time) OVER () / sum(total_plan_time + total_exec_time) OVER () AS "planShare",
    sum(total_plan_time + total_exec_time) OVER () AS "allMs"
  FROM pg_stat_statements
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND query NOT LIKE '%pg_stat_%'
  ORDER BY share DESC LIMIT $1`;
