/** Starts the server again, on its old port, whenever it goes without having been told to. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from './server';

const PAUSE_MS = 200;
/** What keeps it from starting may take a while to be mended: a disk that is full, most of all. */
const PAUSE_AFTER_FAILURE_MS = 2_000;

export function keepRunning(
  first: Server,
  relaunch: () => Promise<Server | null>,
  log: (line: string) => void,
): { stop(): Promise<void> } {
  let stopping = false;
  let current: Promise<Server | null> = Promise.resolve(first);

  const restart = async (): Promise<Server | null> => {
    log('PostgreSQL went away; starting it again');
    for (let wait = PAUSE_MS; !stopping; wait = PAUSE_AFTER_FAILURE_MS) {
      await pause(wait);
      try {
        const server = stopping ? null : await relaunch();
        if (server) keep(server);
        return server;
      } catch (error) {
        if (wait === PAUSE_MS) log(`${(error as Error).message} Trying again until that is mended.`);
      }
    }
    return null;
  };
  const keep = (server: Server): void => {
    void server.exited.then(() => {
      if (!stopping) current = restart();
    });
  };

  keep(first);
  return {
    stop: async () => {
      stopping = true;
      await (await current)?.stop();
    },
  };
}
