/** Starts the server again, on its old port, whenever it goes without having been told to. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from './server';

const PAUSE_MS = 200;

export function keepRunning(
  first: Server,
  relaunch: () => Promise<Server | null>,
  log: (line: string) => void,
): { stop(): Promise<void> } {
  let stopping = false;
  let current: Promise<Server | null> = Promise.resolve(first);

  const restart = async (): Promise<Server | null> => {
    log('PostgreSQL went away; starting it again');
    await pause(PAUSE_MS);
    try {
      const server = await relaunch();
      if (server) keep(server);
      return server;
    } catch (error) {
      log(`${(error as Error).message} Restart the service once that is mended.`);
      return null;
    }
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
