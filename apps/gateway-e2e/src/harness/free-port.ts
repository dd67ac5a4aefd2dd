/**
 * A port that nothing listens on. It lies below those that the system gives to outgoing connections: one of the thousands that
 * a spec opens could otherwise sit on the port of a gateway that is about to come back.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 12_000;
/** For each of the specs that run at the same time. */
const SHARE = 4_000;

/** Each spec file begins somewhere else. */
let next = randomInt(SHARE);

export async function freePort(): Promise<number> {
  const own = FIRST + SHARE * (Number(process.env.JEST_WORKER_ID ?? 0) % 4);
  for (let tried = 0; tried < SHARE; tried += 1) {
    next = (next + 1) % SHARE;
    if (await isFree(own + next)) return own + next;
  }
  throw new Error(`Each port from ${own} to ${own + SHARE - 1} is taken: end what listens there.`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}
