/** A Redis of the run's own, which remembers nothing, and what can happen to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import Redis from 'ioredis';
import { freePort } from '../../harness/free-port';
import type { Chronicle } from '../chronicle';

export class RedisServer {
  private child: ChildProcess | null = null;
  private port = 0;

  constructor(private readonly chronicle: Chronicle) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.port ||= await freePort();
    const forgetful = ['--save', '', '--appendonly', 'no', '--dir', this.chronicle.directory];
    const args = ['--bind', '127.0.0.1', '--port', String(this.port), ...forgetful];
    this.child = spawn('redis-server', args, { stdio: 'ignore' });
    await this.asked((redis) => redis.ping());
  }

  async flush(): Promise<void> {
    this.chronicle.note('redis', 'emptied');
    await this.asked((redis) => redis.flushall()).catch(() => undefined);
  }

  async kill(): Promise<void> {
    this.chronicle.note('redis', 'killed');
    await this.stop();
  }

  async restart(): Promise<void> {
    if (this.child) return;
    await this.start();
    this.chronicle.note('redis', 'is back, empty');
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  private async asked(question: (redis: Redis) => Promise<unknown>): Promise<void> {
    const redis = new Redis(this.url, { maxRetriesPerRequest: 40, retryStrategy: () => 50 });
    redis.on('error', () => undefined); // it is on its way up
    try {
      await question(redis);
    } finally {
      redis.disconnect();
    }
  }
}
