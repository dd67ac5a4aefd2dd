/** A service whose database gets into trouble: how it is paid by, what it says of itself, and what must hold afterwards. */
import { randomUUID } from 'node:crypto';
import { type Answer, eventually, type Json, send } from './api';
import type { GatewayProcess } from './gateway-process';
import { cameToRest, expectPaidOnce, payUntilAnswered, type PayoutRun } from './payout-run';

interface Health {
  status: number;
  database?: string;
}

export class TroubledService {
  private readonly ids: string[] = [];
  /** Keys of what was refused: it may have been made all the same, if the answer to its commit was lost. */
  private readonly refused: string[] = [];

  constructor(
    private readonly gateways: GatewayProcess[],
    private readonly run: PayoutRun,
  ) {}

  /** A payout that is asked for until somebody answers. */
  async pay(): Promise<void> {
    this.ids.push((await payUntilAnswered(this.run, 'mock:timeout')).body.id);
  }

  /** One that is asked for once, and if that is refused again when all is well. */
  async tryToPay(): Promise<Answer> {
    const idempotencyKey = randomUUID();
    const answer = await this.run.client.payout(this.run.payee.id, { idempotencyKey });
    if (answer.status < 300) this.ids.push(answer.body.id);
    else this.refused.push(idempotencyKey);
    return answer;
  }

  /** Callers are told to come back; operators see why; nobody ends the processes for it. */
  async isTroubled(says: RegExp): Promise<void> {
    const refused = await eventually(
      () => this.tryToPay(),
      ({ status }) => status > 299,
      60_000,
    );
    expect([refused.status, refused.body.error]).toEqual([503, 'service_unavailable']);
    expect(refused.headers.get('retry-after')).toBe('1');
    const [report] = await eventually(
      () => this.health('ready'),
      ([ofApi]) => ofApi?.status === 503,
    );
    expect(report?.database).toMatch(says);
    await this.lives();
  }

  async isWell(): Promise<void> {
    await eventually(
      () => this.health('ready'),
      (reports) => reports.every(({ status }) => status === 200),
      30_000,
    );
    await this.lives();
  }

  async lives(): Promise<void> {
    expect((await this.health('live')).map(({ status }) => status)).toEqual(this.gateways.map(() => 200));
    for (const { pid } of this.gateways) expect(process.kill(pid, 0)).toBe(true);
  }

  /** Everything that was answered is paid, once, and told. */
  async hasLostNothing(databaseUrl: string): Promise<void> {
    for (const key of this.refused.splice(0)) this.ids.push((await payUntilAnswered(this.run, undefined, key)).body.id);
    await cameToRest(databaseUrl);
    await expectPaidOnce(databaseUrl, this.run, this.ids);
  }

  async stop(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.kill('SIGTERM')));
    await this.run.catcher.stop();
  }

  private health(path: 'live' | 'ready'): Promise<Health[]> {
    return Promise.all(
      this.gateways.map(async (gateway) => {
        const { status, body } = await send<Json>(`${healthAt(gateway)}/health/${path}`, 'GET', {});
        return { status, database: body.checks?.database };
      }),
    );
  }
}

const healthAt = ({ settings: { role, env }, url }: GatewayProcess): string =>
  role === 'worker' ? `http://127.0.0.1:${env?.WORKER_PORT}` : url;
