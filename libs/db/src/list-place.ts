/** Where the next page of a list begins, in SQL. */
interface ListOfClient {
  table: string;
  /** The name of its rows in the statement. */
  row?: string;
  /** If the list is of one client: SQL of its id. */
  clientId?: string;
  oldestFirst?: boolean;
}

/**
 * After this row of a client's list: as old as the row is by now, because a test client may have let time pass since. The time of
 * the cursor counts if the row is not there, and in lists of all clients, where other rows have kept their places.
 */
export function isAfterPlace(list: ListOfClient, createdUs: string, id: string): string {
  const { table, row = table, clientId, oldestFirst = false } = list;
  const then = `to_timestamp(0) + ${createdUs}::bigint * interval '1 microsecond'`;
  const byNow = `SELECT last.created_at FROM ${table} AS last WHERE last.id = ${id}::uuid AND last.client_id = ${clientId}`;
  return `(${row}.created_at, ${row}.id) ${oldestFirst ? '>' : '<'} (${clientId ? `coalesce((${byNow}), ${then})` : then}, ${id}::uuid)`;
}
