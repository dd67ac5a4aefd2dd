// A running Node process, asked over its own inspector: where its time goes, how long its event loop is kept, what memory it has.
import { WebSocket } from 'undici';

const SAMPLE_US = 500;
/** The address that a process with --inspect says it listens at. */
const SAID = /Debugger listening on (ws:\S+)/;
/** Run in the process itself; what they give crosses as text. */
const BEGIN_WATCHING = `
  globalThis.benchDelay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 });
  globalThis.benchDelay.enable();`;
const END_WATCHING = `
  globalThis.benchDelay.disable();
  JSON.stringify({
    delayMs: Object.fromEntries([50, 99, 100].map((share) => [share, globalThis.benchDelay.percentile(share) / 1e6])),
    memory: process.memoryUsage(),
  });`;

export class Inspector {
  #socket;
  #asked = new Map();
  #count = 0;

  static async open(output) {
    const [, url] = SAID.exec(output) ?? [];
    if (!url) throw new Error('A process that is to be profiled did not say where its inspector listens.');
    const inspector = new Inspector();
    inspector.#socket = new WebSocket(url);
    inspector.#socket.addEventListener('message', ({ data }) => inspector.#hear(JSON.parse(data)));
    await new Promise((resolve, reject) => {
      inspector.#socket.addEventListener('open', resolve);
      inspector.#socket.addEventListener('error', () => reject(new Error(`The inspector at ${url} did not answer.`)));
    });
    return inspector;
  }

  async begin() {
    await this.#ask('Profiler.enable');
    await this.#ask('Profiler.setSamplingInterval', { interval: SAMPLE_US });
    await this.#ask('Profiler.start');
    await this.#ask('Runtime.evaluate', { expression: BEGIN_WATCHING });
  }

  async end() {
    // First: to put a profile together keeps the event loop.
    const { result } = await this.#ask('Runtime.evaluate', { expression: END_WATCHING });
    const { profile } = await this.#ask('Profiler.stop');
    this.#socket.close();
    return { profile, ...JSON.parse(result.value) };
  }

  #ask(method, params = {}) {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #hear({ id, result, error }) {
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    if (error) asked.reject(new Error(error.message));
    else asked.resolve(result);
  }
}
