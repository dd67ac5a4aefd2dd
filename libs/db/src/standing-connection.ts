/**
 * One connection beside the pool that is kept for as long as the process lives: for what must be heard at once, and must
 * not wait until the pool has a place. If it is lost it is made again, a second later.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { log } from '#libs/telemetry';
import { DatabaseTrouble, troubleOf } from './database-trouble';
import { KEPT_ALIVE } from './data-source';
import { bareAddress, WATCH_NAME } from './session-name';
import { optionsFor, tellAgain } from './session-settings';

const RECONNECT_MS = 1_000;
/** Nothing that is asked here takes longer, so a server that is silent for so long is gone. */
const ANSWER_MS = 2_000;
const GOODBYE_MS = 500;

export interface StandingListeners {
  /** The connection was made, for the first time or again: now is the time for what has to be said on it first. */
  arrived?: () => Promise<void>;
  lost?: (loss: Error) => void;
  notified?: (channel: string, payload: string) => void;
}

export class StandingConnection implements OnApplicationShutdown {
  private readonly listeners: StandingListeners[] = [];
  private client: Client | null = null;
  private firstAttempt: Promise<void> | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private stopped = false;
  private isLost = false;

  constructor(private readonly url: string) {}

  listen(listeners: StandingListeners): void {
    this.listeners.push(listeners);
  }

  /** Settles after the first attempt, however it went. */
  open(): Promise<void> {
    this.firstAttempt ??= new Promise((tried) => void this.keep(tried));
    return this.firstAttempt;
  }

  get isThere(): boolean {
    return this.client !== null;
  }

  /** Makes it again: where it leads, or what its session may do, is not what a new one would meet. */
  renew(): void {
    if (this.client) this.giveUp(this.client);
  }

  /** One statement after the other. If the connection is lost it fails at once. */
  async ask<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    const { client } = this;
    if (!client) throw away('there is no connection now');
    const answer = this.queue.then(() => client.query<T>(sql, values));
    this.queue = answer.catch(() => undefined);
    try {
      return (await answer).rows;
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble?.kind === 'away') this.giveUp(client);
      throw trouble ?? error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    // A server that is silent does not say goodbye either.
    await Promise.race([this.client?.end(), pause(GOODBYE_MS, undefined, { ref: false })]);
  }

  private async keep(tried: () => void): Promise<void> {
    for (;;) {
      const client = newClient(this.url, ANSWER_MS);
      const gone = lossOf(client);
      const failure = await this.establish(client);
      tried();
      if (!failure && !this.stopped) this.noteLoss(null);
      const loss = failure ?? (this.stopped ? null : await gone);
      this.giveUp(client);
      if (this.stopped || !loss) return;
      this.noteLoss(loss);
      for (const { lost } of this.listeners) lost?.(loss);
      await pause(RECONNECT_MS, undefined, { ref: false });
    }
  }

  /** Said once when it is lost, and once when it is back. */
  private noteLoss(loss: Error | null): void {
    if (loss && !this.isLost)
      log.warn({ event: 'database.disconnected', error: loss.message }, 'connecting again every second');
    if (!loss && this.isLost) log.info({ event: 'database.connected' }, 'connected to the database again');
    this.isLost = loss !== null;
  }

  private async establish(client: Client): Promise<Error | null> {
    client.on('notification', ({ channel, payload }) => {
      for (const { notified } of this.listeners) notified?.(channel, payload ?? '');
    });
    try {
      await client.connect();
      await tellAgain(client, this.url);
      this.client = client;
      this.queue = Promise.resolve();
      for (const { arrived } of this.listeners) await arrived?.();
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  private giveUp(client: Client): void {
    if (this.client === client) this.client = null;
    client.end().catch(() => undefined);
  }
}

/** For one connection of its own, with an end to every wait. */
export function newClient(url: string, answerMs: number): Client {
  return new Client({
    connectionString: bareAddress(url),
    application_name: WATCH_NAME,
    ...KEPT_ALIVE,
    options: optionsFor(url),
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
}

function lossOf(client: Client): Promise<Error> {
  return new Promise((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(away('the connection ended')));
  });
}

function away(message: string): DatabaseTrouble {
  return new DatabaseTrouble('away', new Error(message));
}
