/** A process that joined somebody's server runs it itself once that one is gone: its work must not end with theirs. */
import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddedPostgres } from './start-embedded-postgres';

const LOOK_EVERY_MS = 500;

export function takeOver(
  isOwned: () => boolean,
  enter: () => Promise<EmbeddedPostgres>,
  log: (line: string) => void,
): { stop(): Promise<void> } {
  let stopping = false;
  let entered: Promise<EmbeddedPostgres | null> = Promise.resolve(null);

  const told = new Set<string>();
  /** Once each time that it is gone, however often it is tried. */
  const tell = (line: string): void => {
    if (!told.has(line)) log(line);
    told.add(line);
  };

  const watch = async (): Promise<void> => {
    while (!stopping) {
      await pause(LOOK_EVERY_MS, undefined, { ref: false });
      if (stopping) return;
      entered = look().catch((error: unknown) => {
        tell(`${(error as Error).message} Trying again until that is mended.`);
        return null;
      });
      if ((await entered)?.owned) return;
    }
  };
  const look = async (): Promise<EmbeddedPostgres | null> => {
    if (isOwned()) return null;
    tell('The process that ran PostgreSQL is gone; going on with it here');
    const found = await enter();
    told.clear();
    return found;
  };
  void watch();
  return {
    stop: async () => {
      stopping = true;
      await (await entered)?.stop();
    },
  };
}
