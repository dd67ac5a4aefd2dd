/** The most rows that any step of a statement comes to with these values: what PostgreSQL has to read for it, whatever it answers. */
import type { Db } from '#libs/db';

interface Node {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

export async function mostRowsOf(db: Db, sql: string, values: unknown[]): Promise<number> {
  const [row] = await db.rows<Record<string, [{ Plan: Node }]>>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
  const [{ Plan: whole }] = Object.values(row ?? {})[0] as [{ Plan: Node }];
  return mostRows(whole);
}

const mostRows = (node: Node): number =>
  Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).map(mostRows),
  );
