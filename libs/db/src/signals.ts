/**
 * Short signals between processes over LISTEN/NOTIFY: "there is work", "this client changed". A signal can be lost, so
 * everything it speeds up also happens without it.
 */
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { log } from '#libs/telemetry';
import { Db } from './db';

const RECONNECT_MS = 1_000;
const GATHER_MS = 5;

@Injectable()
export class Signals implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly listeners = new Map<string, ((payload: string) => void)[]>();
  private readonly gathered = new Map<string, Set<string>>();
  private client: Client | null = null;
  private stopped = false;

  constructor(
    private readonly db: Db,
    private readonly url: string,
  ) {}

  listen(channel: string, listener: (payload: string) => void): void {
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), listener]);
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

  onApplicationBootstrap(): Promise<void> {
    return this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.client?.end();
  }

  private flush(channel: string): void {
    const payloads = [...(this.gathered.get(channel) ?? [])];
    this.gathered.delete(channel);
    if (this.stopped) return;
    this.db
      .outsideTransaction(() =>
        this.db.execute('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [channel, payloads]),
      )
      .catch((error: Error) => log.warn({ event: 'signal.lost', channel, error: error.message }, 'a signal was lost'));
  }

  private async connect(): Promise<void> {
    if (this.stopped) return;
    const client = new Client({
      connectionString: this.url,
      application_name: 'payout-gateway signals',
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload }) => this.receive(channel, payload ?? ''));
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, new Error('the connection ended')));
    this.client = client;
    try {
      await client.connect();
      for (const channel of this.listeners.keys()) await client.query(`LISTEN "${channel}"`);
      for (const channel of this.listeners.keys()) this.receive(channel, ''); // something may have been missed
    } catch (error) {
      this.lost(client, error as Error);
    }
  }

  private receive(channel: string, payload: string): void {
    for (const listener of this.listeners.get(channel) ?? []) listener(payload);
  }

  private lost(client: Client, error: Error): void {
    if (this.stopped || this.client !== client) return;
    this.client = null;
    log.warn({ event: 'signals.disconnected', error: error.message }, 'listening again in a second');
    setTimeout(() => void this.connect(), RECONNECT_MS).unref();
  }
}
