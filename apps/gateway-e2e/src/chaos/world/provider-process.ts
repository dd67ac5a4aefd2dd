/** The provider's process: started, stopped, killed and started again on its port, over the ledger it left. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../../harness/root';
import type { Chronicle } from '../chronicle';
import type { FromProvider, Moment, ToProvider } from '../provider/control';

const PROGRAM = 'dist/apps/gateway-e2e/src/chaos/provider/main.js';

export class ProviderProcess {
  /** What is done to a call's caller before the call goes on. */
  onMoment: (moment: Moment) => Promise<void> | void = () => undefined;
  private child: ChildProcess;
  private port = 0;
  private urls: string[] = [];
  private mended = false;

  constructor(
    private readonly chronicle: Chronicle,
    private readonly seed: number,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const args = [this.chronicle.directory, String(this.port), String(this.seed)];
    this.child = fork(join(ROOT, PROGRAM), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const ready = new Promise<number>((resolve, reject) => {
      this.child.on('message', (message: FromProvider) => {
        if (message.say === 'ready') resolve(message.port);
        else void this.heard(message.id, message.moment);
      });
      this.child.once('exit', (code) => reject(new Error(`The provider ended with ${code}.`)));
    });
    this.port = await ready;
    this.tell({ say: 'notify', urls: this.urls });
    if (this.mended) this.tell({ say: 'mend' });
  }

  notify(urls: string[]): void {
    this.urls = urls;
    this.tell({ say: 'notify', urls });
  }

  mend(): void {
    this.mended = true;
    this.tell({ say: 'mend' });
  }

  async kill(): Promise<void> {
    this.chronicle.note('provider', 'killed');
    await this.stop();
  }

  async restart(): Promise<void> {
    await this.start();
    this.chronicle.note('provider', 'is back');
  }

  freeze(): void {
    this.chronicle.note('provider', 'stopped');
    this.child.kill('SIGSTOP');
  }

  wake(): void {
    this.child.kill('SIGCONT');
    this.chronicle.note('provider', 'goes on');
  }

  async stop(): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  private async heard(id: number, moment: Moment): Promise<void> {
    await this.onMoment(moment);
    this.tell({ say: 'go_on', moment: id });
  }

  /** One that was killed a moment ago may still look connected: it is told all of this when it is back, and whoever waits for its end waits on. */
  private tell(message: ToProvider): void {
    if (this.child.connected) this.child.send(message, (error) => error && this.chronicle.note('provider', 'not told'));
  }
}
