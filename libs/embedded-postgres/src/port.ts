/** The port of the last run when it is free, so that a client that outlived the server finds it again; else any. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

export async function choosePort(directory: string): Promise<number> {
  return (await tryPort(lastPort(directory))) ?? (await tryPort(0)) ?? 0;
}

export async function isFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== null;
}

function lastPort(directory: string): number {
  try {
    return Number(/"-p" "(\d+)"/.exec(readFileSync(join(directory, 'postmaster.opts'), 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // it never ran
  }
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen(port, '127.0.0.1', () => {
      const { port: found } = probe.address() as AddressInfo;
      probe.close(() => resolve(found));
    });
  });
}
