// Clients are told apart by their ids, and recognised by their names: people see both, or where a line is long enough already
// the name only, as long as it tells them apart.
import { list } from './service.mjs';

/** The answer and its command as a person reads them: in a table the name of a client stands beside its id. */
export async function withNames(answer, command) {
  const { columns = [] } = command;
  const at = columns.indexOf('clientId');
  const isInstead = columns.includes('client');
  if (at < 0 && !isInstead) return [answer, command];
  if (!Array.isArray(answer) || !answer.some(({ clientId }) => clientId)) return [answer, command];
  const nameOf = namesAmong(await list('/clients'), isInstead);
  const rows = answer.map((row) => ({ ...row, client: nameOf(row.clientId) }));
  return [rows, isInstead ? command : { ...command, columns: columns.toSpliced(at + 1, 0, 'client') }];
}

function namesAmong(clients, isInstead) {
  const names = new Map(clients.map(({ id, name }) => [id, name]));
  const isShared = (name) => clients.filter((client) => client.name === name).length > 1;
  return (id) => {
    const name = names.get(id);
    return isInstead && (name === undefined || isShared(name)) ? id : name;
  };
}
