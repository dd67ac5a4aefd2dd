/** One gateway process, as an operator would start it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from './free-port';
import { ROOT } from './root';

const MAIN = 'dist/apps/gateway/src/main.js';
/** Another Node than the one of the tests, if the run says so. */
const RUNTIME = process.env.TEST_RUNTIME || process.execPath;
/** Newer lines of Node keep there what they compiled: most runs start the gateway some hundred times. */
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');
const WITH_STAND_INS = 'dist/apps/gateway/testing/main-with-stand-ins.js';
/** For what hangs: on a busy machine a start takes its time. */
const READY_MS = 120_000;

export interface GatewaySettings {
  role: 'all' | 'api' | 'worker';
  databaseUrl: string;
  redisUrl?: string;
  dataDir: string;
  env?: Record<string, string>;
  /** With stand-ins for the rails that settle later. */
  standIns?: boolean;
  /** Another program than the shipped one. */
  program?: string;
}

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class GatewayProcess {
  output = '';
  /** Settles when the process that runs now is gone. */
  gone: Promise<Ending>;
  private child: ChildProcess;

  private constructor(
    readonly settings: GatewaySettings,
    readonly port: number,
  ) {}

  static async start(settings: GatewaySettings, port?: number): Promise<GatewayProcess> {
    const gateway = new GatewayProcess(settings, port ?? (await freePort()));
    await gateway.run();
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** The same process again: same role, same port. */
  async restart(): Promise<void> {
    await this.run();
  }

  /** Returns the exit code; null if the signal ended it. */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill(signal);
      await gone;
    }
    return this.child.exitCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  private async run(): Promise<void> {
    const { role, databaseUrl, redisUrl, dataDir, env, standIns } = this.settings;
    const { program = standIns ? WITH_STAND_INS : MAIN } = this.settings;
    this.child = spawn(RUNTIME, [program], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: COMPILED,
        PORT: String(this.port),
        ROLE: role,
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl ?? '',
        DATA_DIR: dataDir,
        ...env,
      },
    });
    const collect = (chunk: Buffer): void => void (this.output += chunk.toString());
    this.child.stdout?.on('data', collect);
    this.child.stderr?.on('data', collect);
    this.gone = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }) as Ending);
    await this.ready();
  }

  /** The start screen is printed once everything runs. */
  private ready(): Promise<void> {
    const from = this.output.length;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Not ready in time:\n${this.output.slice(from)}`)), READY_MS);
      const look = (): void => {
        if (!this.output.slice(from).includes('is ready')) return;
        clearTimeout(timer);
        resolve();
      };
      this.child.stdout?.on('data', look);
      this.child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`The gateway ended with ${code}:\n${this.output.slice(from)}`));
      });
    });
  }
}
