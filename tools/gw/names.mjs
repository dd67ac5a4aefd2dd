// Clients are told apart by their ids, and recognised by their names: people see both.
import { list } from './service.mjs';

/** The answer and its command as a person reads them: in a table the name of a client stands beside its id. */
export async function withNames(answer, command) {
  const { columns = [] } = command;
  const at = columns.indexOf('clientId');
  if (at < 0 || !Array.isArray(answer) || !answer.some(({ clientId }) => clientId)) return [answer, command];
  const names = new Map((await list('/clients')).map(({ id, name }) => [id, name]));
  const rows = answer.map((row) => ({ ...row, client: names.get(row.clientId) }));
  return [rows, { ...command, columns: columns.toSpliced(at + 1, 0, 'client') }];
}
