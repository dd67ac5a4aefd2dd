/** A transaction that is open: its connection, what left on it, and how its end is understood. */
import type { PoolClient, QueryResult } from 'pg';
import { DatabaseTrouble, isUnprepared, type TroubleKind } from './database-trouble';

export interface Transaction {
  client: PoolClient;
  /** When it began, in microseconds by PostgreSQL's clock: the now() of all its statements. */
  begun: Promise<number>;
  afterCommit: (() => void)[];
  /** Statements that left, and whose answers come with that of the commit. */
  writes: Promise<unknown>[];
  /** Of all its statements the first that failed: what came behind it only met a transaction that was over. */
  cause: unknown;
  /** It waits for no lock for longer than a moment, and that one is not to be had is no trouble. */
  briefly: boolean;
  /** Something of it may write: nothing that comes later overtakes that. */
  mayWrite: boolean;
  isOver: boolean;
}

export const BEGIN = 'BEGIN; SELECT (extract(epoch FROM now()) * 1000000)::bigint AS us';
/** Longer than a busy row takes to come free, and short for those who wait for the place. */
export const BEGIN_BRIEFLY = `${BEGIN}; SET LOCAL lock_timeout = '100ms'`;
/** Each of the statements has a result. */
export const startOf = (results: unknown): number => Number((results as QueryResult<{ us: number }>[])[1]?.rows[0]?.us);

const NEVER_SENT = /is not queryable$/;

/** in_failed_sql_transaction: a statement before it failed. */
const ABORTED = '25P02';
/** It failed because something before it did: it was not looked at, and what it would have prepared is not there. */
export const isAftermath = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === ABORTED || isUnprepared(error);

/** The first failure, if this one is only its consequence. */
export const causeOf = ({ cause }: Transaction, failed: unknown): unknown =>
  isAftermath(failed) ? (cause ?? failed) : failed;

/** The first that is not the aftermath of another; else the first. */
export async function failureAmong(statements: Promise<unknown>[]): Promise<Error | undefined> {
  const answers = await Promise.allSettled(statements);
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  return reasons.find((reason) => !isAftermath(reason)) ?? reasons[0];
}

export const wasNeverSent = (statement: Promise<unknown>): Promise<boolean> =>
  statement.then(
    () => false,
    (error: Error) => NEVER_SENT.test(error.message),
  );

/** At the commit itself these are no refusal: what was written for it may count once PostgreSQL has recovered. */
const BREAKDOWNS: TroubleKind[] = ['full', 'refuses'];

export const brokeDown = (commit: Promise<unknown>): Promise<boolean> =>
  commit.then(
    () => false,
    (error: unknown) => error instanceof DatabaseTrouble && BREAKDOWNS.includes(error.kind),
  );
