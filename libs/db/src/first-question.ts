/**
 * What each new connection asks before it is used: whether this code may work there, whether that is a primary, whether it forgot something,
 * whether it was told what its sessions are to be set to, and who works at its other end.
 */
import type { Client } from 'pg';
import { CODE_VERSION, FLOOR, OutdatedCode } from './code-version';
import { type DatabasePlace, IS_ELSEWHERE } from './database-place';
import { DatabaseTrouble } from './database-trouble';
import { IS_TOLD, tellSettings } from './session-settings';

/** Another host gives the same numbers to other sessions, as two containers do. */
export const backendAs = (pid: string): string => `${pid} || ' of ' || extract(epoch FROM pg_postmaster_start_time())`;

export const FIRST_QUESTION = `
  SELECT ${backendAs('pg_backend_pid()')} AS backend, ${FLOOR} AS floor, pg_is_in_recovery() AS "isStandby", ${IS_ELSEWHERE} AS "isElsewhere", ${IS_TOLD} AS "isTold"`;

/** As long as the connection itself may take to be made: what leads nowhere from here on is known by nothing else. */
const ANSWERED_WITHIN = { query_timeout: 5_000 };

interface Answer {
  backend: string;
  floor: number;
  isStandby: boolean;
  isElsewhere: boolean;
  isTold: boolean;
}

const backends = new WeakMap<object, string>();

/** By what PostgreSQL itself knows this session: what a connection is told when it is made, poolers make up. */
export function backendOf(client: object): string {
  const backend = backends.get(client);
  if (backend === undefined)
    throw new Error('A connection is used that was not asked who works at its other end: see askFirst.');
  return backend;
}

/** A process that was frozen while it became too old, or while its database became another one, finds out before its next statement. */
export async function askFirst(client: Client, url: string, place: DatabasePlace): Promise<void> {
  const { rows } = await client.query<Answer>({ text: FIRST_QUESTION, ...ANSWERED_WITHIN });
  const { backend, floor, isStandby, isElsewhere, isTold } = rows[0] as Answer;
  backends.set(client, backend);
  if (floor > CODE_VERSION) throw new OutdatedCode();
  // Made now, it would outlive the promotion, and nobody would ask it again.
  if (isStandby) throw new DatabaseTrouble('read_only', new Error('The database is a standby, and takes no changes.'));
  if (!isTold) await tellSettings(client, url);
  if (isElsewhere) await place.notice(client);
}
