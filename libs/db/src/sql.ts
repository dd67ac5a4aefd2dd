/** What a statement is prepared as, and how its rows are read: properties are columns in camel case. */
import { createHash } from 'node:crypto';

const names = new Map<string, string | undefined>();

/**
 * A statement with a name is planned a few times on each connection, and then has that plan until autovacuum has looked at its tables again. `jobs`
 * is empty whenever all is done, and has 100,000 rows a moment later: a plan from when it was empty reads all of it for each job. So what
 * looks for rows in it has no name, and is planned each time.
 */
const LOOKS_FOR_JOBS = /\b(FROM|JOIN|UPDATE) jobs\b/;

/** Statement texts are few and fixed: values never stand in them. */
export function statementName(sql: string): string | undefined {
  if (!names.has(sql)) names.set(sql, LOOKS_FOR_JOBS.test(sql) ? undefined : named(sql));
  return names.get(sql);
}

const named = (sql: string): string => `gw_${createHash('sha1').update(sql).digest('hex').slice(0, 16)}`;

/**
 * Objects as the text that PostgreSQL gets, made before anything leaves: the driver would make it on the way, and if that fails
 * what left before would be committed all the same.
 */
export function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isRecord) ? value.map(asSent) : value;
  return isRecord(value) ? JSON.stringify(value) : value;
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !ArrayBuffer.isView(value);

const properties = new Map<string, string>();

export function camelCased<T>(row: Record<string, unknown>): T {
  const result: Record<string, unknown> = {};
  for (const column in row) {
    let property = properties.get(column);
    if (!property) {
      property = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
      properties.set(column, property);
    }
    result[property] = row[column];
  }
  return result as T;
}
