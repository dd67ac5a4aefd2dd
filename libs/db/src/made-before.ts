/**
 * SQL of the least id that a row made so many days ago can have: ids begin with their time, so the primary key finds what is older.
 * That a test client let time pass changes no id: such rows are as old as they really are.
 */
export const madeBefore = (days: string): string =>
  `(lpad(to_hex((extract(epoch FROM now() - ${days}::int * interval '1 day') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
