/**
 * Sends deliveries to addresses that callers chose. Follows no redirect, uses no proxy, reads little of the answer, and
 * is done within the deadline whatever the other side does.
 */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Dispatcher, request } from 'undici';
import { CONFIG, type Config } from '#libs/config';
import { type Delivery, DELIVERY_LIMITS, type DeliveryLimits, type Outcome } from './delivery';
import { dnsLookUp, type LookUp, systemLookUp } from './look-up';
import { RefusedAddress, vettedConnector } from './vetted-connector';

export const LOOK_UP = Symbol('LookUp');
export const lookUpFor = ({ production }: Pick<Config, 'production'>): LookUp =>
  production ? dnsLookUp : systemLookUp;

/** An idle connection is hardly ever closed by the other side this soon, so no attempt is lost to one just closed. */
const KEEP_ALIVE_MS = 1_000;
/** A busy connection ends after this, and its name is looked up and judged again. */
const CONNECTION_AGE_MS = 60_000;
const MAX_ERROR = 200;

@Injectable()
export class Egress implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'production'>,
    @Inject(LOOK_UP) lookUp: LookUp,
    @Inject(DELIVERY_LIMITS) private readonly limits: DeliveryLimits,
  ) {
    this.agent = new Agent({
      connect: vettedConnector({ anyAddress: !config.production, lookUp }),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      clientTtl: CONNECTION_AGE_MS,
    });
  }

  async post(delivery: Delivery): Promise<Outcome> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.limits.deadlineMs);
    try {
      return await this.exchange(delivery, deadline.signal);
    } catch (error) {
      if (error instanceof RefusedAddress) return { kind: 'undeliverable', error: error.message };
      return { kind: 'failed', statusCode: null, error: this.describe(error as Error, deadline.signal) };
    } finally {
      clearTimeout(timer);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange({ url, headers, body }: Delivery, signal: AbortSignal): Promise<Outcome> {
    const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: this.agent });
    await this.readSome(answer.body);
    const { statusCode } = answer;
    if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode };
    return { kind: 'failed', statusCode, error: `answered ${statusCode}` };
  }

  /** The status has been said; the body is read only so that the connection can be used again. */
  private async readSome(body: Dispatcher.ResponseData['body']): Promise<void> {
    let bytes = 0;
    try {
      for await (const chunk of body) {
        bytes += (chunk as Buffer).length;
        if (bytes > this.limits.answerBytes) return; // leaving the loop ends the connection
      }
    } catch {
      // cut off by them or by the deadline
    }
  }

  private describe(error: Error & { code?: string }, deadline: AbortSignal): string {
    if (deadline.aborted) return `no answer within ${this.limits.deadlineMs / 1000} s`;
    return `${error.code ?? error.name}: ${error.message}`.slice(0, MAX_ERROR);
  }
}
