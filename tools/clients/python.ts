/** The python3 of this machine, for specs of the Python client, which say so if there is none. */
import { spawnSync } from 'node:child_process';

const OLDEST_MINOR = 9;
/** How the title of a test ends that only stands there for want of it; the summary of `npm test` then says so. */
export const NO_PYTHON = '(python3 is not to be had)';

/** Why it cannot be used, or null. */
export function whyNoPython(): string | null {
  const { status, stdout } = spawnSync('python3', ['--version'], { encoding: 'utf8' });
  if (status !== 0) return 'there is no python3 on this machine';
  const minor = Number(/^Python 3\.(\d+)/.exec(stdout)?.[1] ?? 0);
  return minor >= OLDEST_MINOR ? null : `${stdout.trim()} is older than 3.${OLDEST_MINOR}`;
}
