/** What PostgreSQL reads for a statement with these values, and then leaves out: none if an index says which rows are meant. */
import type { Db } from '#libs/db';

interface Plan {
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

export async function rowsRemoved(db: Db, sql: string, values: unknown[]): Promise<number> {
  const [row] = await db.rows<Record<string, [{ Plan: Plan }]>>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
  const [{ Plan: whole }] = Object.values(row ?? {})[0] as [{ Plan: Plan }];
  return removedBy(whole);
}

const removedBy = (plan: Plan): number =>
  (plan['Rows Removed by Filter'] ?? 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + removedBy(inner), 0);
