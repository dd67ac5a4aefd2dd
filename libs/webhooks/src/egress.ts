/**
 * Sends deliveries to addresses that callers chose. Follows no redirect, uses no proxy, reads little of the answer, and
 * is done within the deadline whatever the other side does.
 */
import type { Socket } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Dispatcher, request } from 'undici';
import { CONFIG, type Config } from '#libs/config';
import { AnswerTurns } from './answer-turns';
import { type Delivery, DELIVERY_LIMITS, type DeliveryLimits, type Failed, type Outcome } from './delivery';
import { EXCERPT_BYTES, excerptOf } from './excerpt';
import { failureKind } from './failure-kind';
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
/** Before the answer itself. Hardly anybody sends one; thousands of them fit into each packet. */
const MOST_INFOS = 8;

@Injectable()
export class Egress implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'production'>,
    @Inject(LOOK_UP) lookUp: LookUp,
    @Inject(DELIVERY_LIMITS) private readonly limits: DeliveryLimits,
  ) {
    const connect = vettedConnector({ anyAddress: !config.production, lookUp, withinMs: limits.deadlineMs });
    const answers = new AnswerTurns();
    this.agent = new Agent({
      connect: (target, done) =>
        connect(target, (error, socket) => (error ? done(error, null) : done(null, answers.watch(socket as Socket)))),
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
      if (error instanceof RefusedAddress)
        return { kind: 'undeliverable', reason: 'address_refused', error: error.message };
      return this.noAnswer(error as Error, deadline.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange({ url, headers, body }: Delivery, signal: AbortSignal): Promise<Outcome> {
    const onInfo = bounded(MOST_INFOS);
    const answering = request(url, { method: 'POST', headers, body, signal, onInfo, dispatcher: this.agent });
    // A request whose connection is still being made does not end at the signal: it is left behind.
    const answer = await Promise.race([answering, aborted(signal)]);
    const excerpt = await this.readSome(answer.body);
    const { statusCode } = answer;
    if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode, excerpt };
    return { kind: 'failed', statusCode, reason: 'not_2xx', error: `answered ${statusCode}`, excerpt };
  }

  /** The status has been said; the body is read for its beginning, and so that the connection can be used again. */
  private async readSome(body: Dispatcher.ResponseData['body']): Promise<string | null> {
    const beginning: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (bytes < EXCERPT_BYTES) beginning.push(chunk);
        bytes += chunk.length;
        if (bytes > this.limits.answerBytes) break; // leaving the loop ends the connection
      }
    } catch {
      // cut off by them or by the deadline
    }
    return excerptOf(beginning);
  }

  private noAnswer(error: Error & { code?: string }, deadline: AbortSignal): Failed {
    const none = { kind: 'failed', statusCode: null, excerpt: null } as const;
    if (deadline.aborted)
      return { ...none, reason: 'timeout', error: `no answer within ${this.limits.deadlineMs / 1000} s` };
    const text = `${error.code ?? error.name}: ${error.message}`;
    return { ...none, reason: failureKind(error), error: text.slice(0, MAX_ERROR) };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
}

/** An error that it throws ends the request and its connection. */
function bounded(most: number): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > most)
      throw Object.assign(new Error(`more than ${most} answers before the answer`), { code: 'HPE_INFOS' });
  };
}
