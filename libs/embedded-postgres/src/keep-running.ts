/** Starts the server again, on its old port, whenever it goes without having been told to. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from './server';

const PAUSE_MS = 200;
/** The cause that keeps it from starting may take a while to mend: a full disk, most of all. */
const PAUSE_AFTER_FAILURE_MS = 2_000;

/** A server that runs here, or the watch over one that runs elsewhere. */
type Kept = Pick<Server, 'stop'>;

interface Ways {
  /** Null: another process was quicker. */
  relaunch: () => Promise<Server | null>;
  /** For as long as that one runs it: then it is run here again. */
  beGuest: () => Kept;
  log: (line: string) => void;
}

export function keepRunning(first: Server, { relaunch, beGuest, log }: Ways): Kept {
  let stopping = false;
  let current: Promise<Kept | null> = Promise.resolve(first);

  const restart = async (): Promise<Kept | null> => {
    log('PostgreSQL went away; starting it again');
    for (let wait = PAUSE_MS; ; wait = PAUSE_AFTER_FAILURE_MS) {
      await pause(wait);
      if (stopping) return null;
      try {
        const server = await relaunch();
        if (server) keep(server);
        return server ?? beGuest();
      } catch (error) {
        if (wait === PAUSE_MS) log(`${(error as Error).message} Trying again until that is mended.`);
      }
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
