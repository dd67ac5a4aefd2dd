// Where a bench takes place: a temporary directory, and everything that was started, stopped in reverse at the end, on
// an error and on Ctrl-C.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Stage {
  interrupted = false;
  /** Whether it is found out where time goes, and not only how much of it. */
  profiles = false;
  /** What servers run on. */
  node = process.execPath;
  #stops = [];
  #closed = null;
  #directory = null;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => {
        this.interrupted = true;
        void this.close();
      });
  }

  get directory() {
    if (!this.#directory) {
      this.#directory = mkdtempSync(join(tmpdir(), 'payout-gateway-bench-'));
      this.atTheEnd(() => rmSync(this.#directory, { recursive: true, force: true }));
    }
    return this.#directory;
  }

  /** Returns a function that stops it now. */
  atTheEnd(stop) {
    if (this.interrupted) void stop();
    else this.#stops.push(stop);
    return async () => {
      this.#stops = this.#stops.filter((other) => other !== stop);
      await stop();
    };
  }

  close() {
    this.#closed ??= this.#stopAll();
    return this.#closed;
  }

  async #stopAll() {
    for (let stop = this.#stops.pop(); stop; stop = this.#stops.pop())
      await Promise.resolve(stop()).catch((error) => process.stderr.write(`${error.message}\n`));
  }
}
