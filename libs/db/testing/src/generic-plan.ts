/** How PostgreSQL does a statement that it has planned once for all values, which it comes to after a few times. */
import type { Db } from '#libs/db';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** The tables that it reads from end to end. The statement has one value. */
export function readsWhole(db: Db, sql: string): Promise<string[]> {
  return db.inTransaction(async () => {
    await db.execute('SET LOCAL plan_cache_mode = force_generic_plan');
    await db.execute(`PREPARE looked_at AS ${sql}`);
    const [row] = await db.rows<Record<string, [{ Plan: Plan }]>>(`EXPLAIN (FORMAT JSON) EXECUTE looked_at ('[]')`);
    await db.execute('DEALLOCATE looked_at');
    const [{ Plan: whole }] = Object.values(row ?? {})[0] as [{ Plan: Plan }];
    return partsOf(whole)
      .filter((part) => part['Node Type'] === 'Seq Scan')
      .map((part) => part['Relation Name'] ?? '');
  });
}

const partsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(partsOf)];
