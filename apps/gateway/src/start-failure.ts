/** Why a process did not start, in one line that names the setting and says what to do about it. */
import type { Port } from './ports';

export class StartFailure extends Error {}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** No name server knows it, or it is too long for a name. */
const isUnresolved = ({ syscall }: NodeJS.ErrnoException): boolean => syscall === 'getaddrinfo';
/** PostgreSQL's own no to a connection: password, account, database, too many, starting up. */
const REFUSED = /^(28...|3D000|53300|57P03)$/;

/** The error to show if listening fails. */
export function listenFailure(error: NodeJS.ErrnoException, { setting, number: port }: Port, host: string): Error {
  if (error.code === 'EADDRINUSE')
    return new StartFailure(`Port ${port} is in use. Set ${setting} to another one, or stop what uses it.`);
  if (error.code === 'EACCES')
    return new StartFailure(`Port ${port} is closed to this user. Set ${setting} to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || isUnresolved(error))
    return new StartFailure(
      `HOST is ${host}, which is no address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for every interface.`,
    );
  return error;
}

/** The error to show if the first connection to an external database fails. */
export function databaseFailure(error: NodeJS.ErrnoException, url: string): Error {
  const { host, hostname } = new URL(url);
  const code = error.code ?? '';
  if (isUnresolved(error))
    return new StartFailure(
      `DATABASE_URL names the host ${hostname}, which is not known here. Correct it, or unset it for the embedded PostgreSQL.`,
    );
  if (UNREACHABLE.has(code) || /timeout/i.test(error.message))
    return new StartFailure(
      `The database at DATABASE_URL (${host}) does not answer. Check that it runs and is reachable from here.`,
    );
  if (REFUSED.test(code))
    return new StartFailure(`The database at DATABASE_URL (${host}) refuses: ${error.message}. Correct DATABASE_URL.`);
  return error;
}
