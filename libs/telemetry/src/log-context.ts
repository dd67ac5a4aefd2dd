/** The subject of a line of the log, kept while a request is answered or a job is done: a call of a rail can be traced to either. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface LogContext {
  requestId?: string;
  job?: string;
}

const contexts = new AsyncLocalStorage<LogContext>();

/** Whatever is logged by the work, and by what it starts, says so. */
export function inLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run(context, work);
}

/** A copy of its own for each line. */
export const logContext = (): LogContext => ({ ...contexts.getStore() });
