/**
 * The gateway's processes under a supervisor, as an operator would run them: one that is gone is started again. What is done
 * to them goes through here, so that it is known which process stood still when, and which ended by itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { GatewayProcess, type GatewaySettings } from '../../harness/gateway-process';
import type { Chronicle } from '../chronicle';

const PROGRAM = 'dist/apps/gateway/testing/main-with-provider.js';
const START_AGAIN_MS = 300;
const STOPS_WITHIN_MS = 20_000;
const LAST_WORDS = 600;

export interface Gateway {
  name: string;
  process: GatewayProcess;
  state: 'up' | 'frozen' | 'down';
  /** The end that the rig itself brings about is none that the supervisor looks into. */
  meant: boolean;
}

/** One that nobody ended. */
export interface Breakdown {
  name: string;
  lastWords: string;
}

export class Gateways {
  readonly all: Gateway[] = [];
  readonly breakdowns: Breakdown[] = [];
  private stopping = false;

  constructor(private readonly chronicle: Chronicle) {}

  /** The first process makes the development secrets and migrates; the others find both. */
  async start(roles: GatewaySettings['role'][], settings: Omit<GatewaySettings, 'role'>): Promise<void> {
    const count = (role: string, index: number): number =>
      roles.slice(0, index + 1).filter((one) => one === role).length;
    const named = roles.map((role, index) => ({ role, name: `${role}-${count(role, index)}` }));
    const [first, ...others] = named;
    if (first) this.all.push(await this.launch(first, settings));
    this.all.push(...(await Promise.all(others.map((one) => this.launch(one, settings)))));
  }

  get urls(): string[] {
    return this.all.filter(({ process }) => process.settings.role !== 'worker').map(({ process }) => process.url);
  }

  byPid(pid: number): Gateway | undefined {
    return this.all.find(({ process, state }) => state !== 'down' && process.pid === pid);
  }

  async kill(gateway: Gateway, downMs: number, why: string): Promise<void> {
    if (gateway.state === 'down') return;
    this.chronicle.note(gateway.name, `killed, ${why}`, gateway.process.pid);
    this.gone(gateway);
    await gateway.process.kill('SIGKILL');
    await pause(downMs);
    await this.bringBack(gateway);
  }

  /** As a new version would be rolled out. */
  async replace(gateway: Gateway): Promise<void> {
    if (gateway.state !== 'up') return;
    this.chronicle.note(gateway.name, 'asked to stop, to be started again', gateway.process.pid);
    this.gone(gateway);
    const late = setTimeout(() => gateway.process.signal('SIGKILL'), STOPS_WITHIN_MS);
    await gateway.process.kill('SIGTERM');
    clearTimeout(late);
    await this.bringBack(gateway);
  }

  freeze(gateway: Gateway, why: string): boolean {
    if (gateway.state !== 'up') return false;
    gateway.state = 'frozen';
    gateway.process.signal('SIGSTOP');
    this.chronicle.note(gateway.name, `stopped, ${why}`, gateway.process.pid);
    return true;
  }

  wake(gateway: Gateway): void {
    if (gateway.state !== 'frozen') return;
    gateway.state = 'up';
    this.chronicle.note(gateway.name, 'goes on', gateway.process.pid);
    gateway.process.signal('SIGCONT');
  }

  private gone(gateway: Gateway): void {
    gateway.meant = true;
    gateway.state = 'down';
  }

  async allUp(): Promise<void> {
    for (const gateway of this.all) this.wake(gateway);
    while (this.all.some(({ state }) => state !== 'up')) await pause(100);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.all.map(({ process }) => process.kill('SIGKILL')));
  }

  private async launch(
    { role, name }: Pick<GatewaySettings, 'role'> & { name: string },
    settings: Omit<GatewaySettings, 'role'>,
  ): Promise<Gateway> {
    const process = await GatewayProcess.start({ ...settings, role, program: PROGRAM });
    const gateway: Gateway = { name, process, state: 'up', meant: false };
    this.chronicle.note(name, 'is ready', process.pid);
    this.watch(gateway);
    return gateway;
  }

  private watch(gateway: Gateway): void {
    const { name, process } = gateway;
    const { pid } = process;
    const from = process.output.length;
    void process.gone.then(({ code, signal }) => {
      if (gateway.meant || this.stopping) return;
      const lastWords = process.output.slice(from).slice(-LAST_WORDS).trim();
      this.breakdowns.push({ name, lastWords });
      this.chronicle.note(name, `ended by itself with ${signal ?? code}`, pid);
      gateway.state = 'down';
      void this.bringBack(gateway);
    });
  }

  /** While its database is away a process does not start; whoever supervises it tries again. */
  private async bringBack(gateway: Gateway): Promise<void> {
    while (!this.stopping) {
      gateway.meant = true;
      try {
        await gateway.process.restart();
        gateway.meant = false;
        gateway.state = 'up';
        this.watch(gateway);
        return this.chronicle.note(gateway.name, 'is ready again', gateway.process.pid);
      } catch {
        await gateway.process.kill('SIGKILL');
        await pause(START_AGAIN_MS);
      }
    }
  }
}
