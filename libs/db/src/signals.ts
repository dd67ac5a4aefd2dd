/**
 * Short signals between processes over LISTEN/NOTIFY: "there is work", "this client changed". A signal can be lost, so
 * everything it speeds up also happens without it.
 */
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { log } from '#libs/telemetry';
import type { Db } from './db';
import { onBehalfOfAll } from './shares';
import type { StandingConnection } from './standing-connection';

const GATHER_MS = 5;

export class Signals implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly listeners = new Map<string, ((payload: string) => void)[]>();
  private readonly gathered = new Map<string, Set<string>>();
  private stopped = false;

  constructor(
    private readonly db: Db,
    private readonly connection: StandingConnection,
  ) {
    connection.listen({
      arrived: () => this.arrived(),
      notified: (channel, payload) => this.receive(channel, payload),
    });
  }

  /** An empty payload means that signals may have been missed. */
  listen(channel: string, listener: (payload: string) => void): void {
    const isNew = !this.listeners.has(channel);
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), listener]);
    // On a connection that is lost meanwhile it is said again by whoever makes the next one.
    if (isNew && this.connection.isThere) this.connection.ask(listenTo(channel)).catch(() => undefined);
  }

  /** Equal signals within a few milliseconds leave as one. */
  send(channel: string, payload = ''): void {
    const waiting = this.gathered.get(channel);
    if (waiting) {
      waiting.add(payload);
      return;
    }
    this.gathered.set(channel, new Set([payload]));
    setTimeout(() => this.flush(channel), GATHER_MS).unref();
  }

  /**
   * Part of the caller's transaction, if there is one: PostgreSQL delivers it with the commit or not at all, even if this process ends right
   * after it. For rare signals only: commits that carry one wait for each other.
   */
  sendWithCommit(channel: string, payload: string): void {
    if (!this.db.isInTransaction) return this.send(channel, payload);
    void this.db.write(NOTIFY, [channel, [payload]]); // should it fail, the commit does
  }

  onApplicationBootstrap(): Promise<void> {
    return this.connection.open();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
  }

  private flush(channel: string): void {
    const payloads = [...(this.gathered.get(channel) ?? [])];
    this.gathered.delete(channel);
    if (this.stopped) return;
    // Of many, gathered: it waits for nobody.
    const tell = (): Promise<number> => this.db.outsideTransaction(() => this.db.execute(NOTIFY, [channel, payloads]));
    onBehalfOfAll(tell).catch((error: Error) =>
      log.warn({ event: 'signal.lost', channel, error: error.message }, 'a signal was lost'),
    );
  }

  private async arrived(): Promise<void> {
    for (const channel of this.listeners.keys()) await this.connection.ask(listenTo(channel));
    for (const channel of this.listeners.keys()) this.receive(channel, '');
  }

  private receive(channel: string, payload: string): void {
    for (const listener of this.listeners.get(channel) ?? []) listener(payload);
  }
}

const NOTIFY = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

const listenTo = (channel: string): string => `LISTEN "${channel}"`;
