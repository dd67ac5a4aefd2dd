/**
 * How a process ends when it is asked to: nobody gets in, what is under way is answered while the queues still run, then
 * jobs finish or are handed back, then the database is left. Whatever happens, it is gone when the grace is over.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { JobRunner } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { Connections } from './connections';
import { onSignals } from './signals';
import { Stopping } from './stopping';

export interface Running {
  app: INestApplicationContext;
  database: { stop(): Promise<void> };
  graceSeconds: number;
}

/** Of the grace: until when requests alone are waited for, how long jobs then are, and until when any request is. */
export const SHARES = { requestsFirst: 0.1, jobs: 0.8, requests: 0.92 };

/** For saying goodbye to Redis and the database, once all work is over. A statement that hangs is not waited for. */
const TIDY_MS = 1_500;

/**
 * From here on work may be under way: a signal that comes while the rest is started is kept until all is there that has to be
 * stopped, and is handed over here. False if it is stopping by then. A second signal does not wait.
 */
export function stopOnSignal(graceSeconds: number): (running: Running) => boolean {
  let asked: NodeJS.Signals | null = null;
  let started: Running | null = null;
  const begin = (running: Running, signal: NodeJS.Signals): void => {
    stop(running, signal).catch((error: Error) => {
      log.error({ event: 'stop.failed', stack: error.stack }, error.message);
      process.exit(1);
    });
  };
  onSignals((signal) => {
    if (asked) process.exit(1);
    asked = signal;
    setTimeout(force, graceSeconds * 1_000, graceSeconds).unref();
    if (started) begin(started, signal);
  });
  return (running) => {
    started = running;
    if (asked) begin(running, asked);
    return asked === null;
  };
}

async function stop({ app, database, graceSeconds }: Running, signal: NodeJS.Signals): Promise<void> {
  const startedAt = performance.now();
  const graceMs = graceSeconds * 1_000;
  const [connections, stopping] = [app.get(Connections), app.get(Stopping)];
  stopping.begin(connections.drained(), graceMs * SHARES.requests);
  connections.stop();
  log.info({ event: 'stop.begun', signal, graceSeconds }, 'asked to stop: nothing new is accepted');
  await Promise.race([connections.drained(), pause(graceMs * SHARES.requestsFirst, undefined, { ref: false })]);
  connections.cutUnread();
  // Jobs that were handed back are neither waited for nor tidied up: only requests are waited for.
  void app
    .get(JobRunner)
    .cutOff.then(() => stopping.requestsAnswered())
    .then(() => leave(database, startedAt));
  void stopping.tidying.then(() => pause(TIDY_MS)).then(() => leave(database, startedAt));
  await app.close();
  await leave(database, startedAt);
}

async function leave(database: Running['database'], startedAt: number): Promise<never> {
  await database.stop();
  log.info({ event: 'stop.done', ms: Math.round(performance.now() - startedAt) }, 'stopped');
  process.exit(0);
}

/** Committed work stays, and leases run out: a process that is cut off here is like one that was killed. */
function force(graceSeconds: number): never {
  log.error({ event: 'stop.forced', graceSeconds }, 'still busy when STOP_GRACE_SECONDS were over: ended all the same');
  process.exit(1);
}
