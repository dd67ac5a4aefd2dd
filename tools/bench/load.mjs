// Puts a load on HTTP servers: by wrk if it is to be had, as it takes less of the CPU that is measured, else by a
// Node process of ours, which also is what sends at a steady rate.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './children.mjs';
import { wrkProgram } from './programs.mjs';

const SCRIPT = fileURLToPath(new URL('load/wrk.lua', import.meta.url));
const SENDER = fileURLToPath(new URL('load/send.mjs', import.meta.url));
const PATH = process.env.PATH;

export class Load {
  #stage;
  #wrk;
  #runs = 0;

  constructor(stage) {
    this.#stage = stage;
    this.#wrk = wrkProgram();
  }

  get generator() {
    return this.#wrk ? 'wrk' : 'a Node process with raw sockets (there is no wrk)';
  }

  /** As many as the connections can carry. `requests` are bytes; with `cycle` they are sent again and again. */
  async eager(plan) {
    return this.#sent(plan, (files) => (this.#wrk ? this.#byWrk(plan, files) : this.#byNode(plan, files)));
  }

  /** By Node in any case, and to the last answer: for few and large requests, of which wrk would cut off the last. */
  async toTheLast(plan) {
    return this.#sent(plan, (files) => this.#byNode(plan, files));
  }

  /** `plan.perSecond` of them, spread evenly, whatever the answers take. */
  async paced(plan) {
    return this.#sent(plan, (files) => this.#byNode(plan, files));
  }

  async #sent(plan, send) {
    const files = join(this.#stage.directory, `requests-${++this.#runs}`);
    const parts = plan.ports.map((_, part) => ({ name: `${files}.${part + 1}`, part }));
    for (const { name, part } of parts) {
      const share = plan.requests.filter((_, place) => place % plan.ports.length === part);
      writeFileSync(name, Buffer.concat(share.flatMap((bytes) => [lengthOf(bytes), bytes])));
    }
    const output = await send(files);
    for (const { name } of parts) rmSync(name);
    const told = /^RESULT (.*)$/m.exec(output);
    if (!told) throw new Error(`The load generator told nothing:\n${output}`);
    return resultOf(plan, JSON.parse(told[1]));
  }

  #byWrk({ ports, connections, seconds, cycle = false }, files) {
    const load = ['-t', String(ports.length), '-c', String(connections), '-d', `${seconds}s`, '-s', SCRIPT];
    const env = { PATH, BENCH_PORTS: ports.join(','), BENCH_REQUESTS: files, BENCH_CYCLE: cycle ? '1' : '0' };
    return runChild(this.#stage, [this.#wrk, ...load, `http://127.0.0.1:${ports[0]}`], { env });
  }

  #byNode({ ports, connections, seconds, cycle = false, perSecond = null, expected }, files) {
    const plan = { ports, connections, seconds, cycle, perSecond, expected, requests: files };
    return runChild(this.#stage, [process.execPath, SENDER, JSON.stringify(plan)], { env: { PATH } });
  }
}

/** `mayRefuse`: refusals are what is meant, and some of them are to wait for longer than wrk does. */
function resultOf({ what, mayRefuse = false }, { completed, seconds, p50, p99, ranOut, errors }) {
  const isMeant = (kind) => mayRefuse && /^(status|timeout|\d+)$/.test(kind);
  const wrong = Object.entries(errors).filter(([kind, count]) => count > 0 && !isMeant(kind));
  if (wrong.length > 0)
    throw new Error(`${what}: NOT ALL WENT WELL: ${wrong.map(([kind, count]) => `${count} × ${kind}`).join(', ')}.`);
  return { completed, perSecond: completed / seconds, p50, p99, ranOut };
}

const lengthOf = (bytes) => Buffer.from(String(bytes.length).padStart(8, '0'));
