/**
 * Stands between a process and PostgreSQL, reads along, and makes a connection fail at a statement of the spec's choosing:
 * ended by the server before it, cut after it was done and before its answer arrived, or silent from there on.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { FrontendReader, messagesOf, type Message } from './postgres-messages';

/** 'lost on its way': the client's connection breaks as the statement leaves, and the server gets it a little later all the same. */
export type Fate = 'pass' | 'ended before' | 'answer lost' | 'silent' | 'lost on its way';

export interface SeenStatement {
  sql: string;
  /** application_name of the connection. */
  application: string;
  /** Every statement before it was answered; those that leave together with it are not. */
  beginsRoundTrip: boolean;
}

type Decide = (statement: SeenStatement) => Fate;

export class PostgresProxy {
  /** Everything passes, until the spec says otherwise. */
  decide: Decide = () => 'pass';
  /** As poolers do: what a new connection is told is no number of PostgreSQL's. */
  numbersSessions = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer((socket) => void new ProxiedConnection(socket, this.dial(), this).run());
  }

  static async start(url: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(new URL(url));
    proxy.server.on('connection', (socket) => proxy.keep(socket));
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The same database, by way of the proxy. */
  get url(): string {
    const { port } = this.server.address() as { port: number };
    return Object.assign(new URL(this.target.href), { host: `127.0.0.1:${port}` }).href;
  }

  /** The server ends the session, as an administrator's command does, and is through with it. */
  async terminate(pid: number): Promise<void> {
    // Not in the spec's own database, which may be dropped as soon as the spec knows what it wanted to know.
    const client = new Client({
      connectionString: Object.assign(new URL(this.target), { pathname: '/postgres' }).href,
    });
    await client.connect();
    await client.query('SELECT pg_terminate_backend($1, 10000)', [pid]);
    await client.end();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private dial(): Socket {
    return this.keep(connect(Number(this.target.port || 5432), this.target.hostname));
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.setNoDelay(true); // statements of one transaction go out one by one, and would wait for each other's receipt
    socket.on('error', () => undefined); // what breaks here is meant to
    return socket.once('close', () => this.sockets.delete(socket));
  }
}

class ProxiedConnection {
  private readonly frontend = new FrontendReader();
  private pid = 0;
  private isOnItsWay = false;
  /** Statements that passed, and those that were answered; a connection that is ready has answered the first one. */
  private asked = 1;
  private answered = 0;
  /** The statement from which on nobody gets an answer, and what is to follow. */
  private swallowing: { from: number; fate: Fate } | null = null;
  private fromServer: Buffer = Buffer.alloc(0);

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly proxy: PostgresProxy,
  ) {}

  async run(): Promise<void> {
    this.client.once('close', () => this.isOnItsWay || this.server.destroy());
    this.server.once('close', () => this.client.destroySoon());
    this.server.on('data', (bytes: Buffer) => this.answer(bytes));
    try {
      for await (const bytes of this.client) await this.ask(bytes as Buffer);
    } catch {
      this.server.destroy(); // the client was cut off
    }
  }

  private async ask(bytes: Buffer): Promise<void> {
    for (const { bytes: part, sql } of this.frontend.read(bytes)) {
      const { application } = this.frontend;
      const beginsRoundTrip = this.answered === this.asked;
      const fate = sql === null ? 'pass' : this.proxy.decide({ sql, application, beginsRoundTrip });
      if (sql !== null) this.asked += 1;
      if (fate === 'ended before') await this.proxy.terminate(this.pid);
      if (fate === 'answer lost' || fate === 'silent') this.swallowing ??= { from: this.asked, fate };
      if (fate === 'lost on its way') {
        this.isOnItsWay = true;
        this.client.resetAndDestroy();
        await pause(ON_ITS_WAY_MS);
        this.server.end(part);
        return;
      }
      if (this.server.writable) this.server.write(part);
    }
  }

  private answer(bytes: Buffer): void {
    const { messages, rest } = messagesOf(Buffer.concat([this.fromServer, bytes]));
    this.fromServer = rest;
    const passed: Buffer[] = [];
    for (const message of messages) {
      if (message.type === 'K') this.number(message);
      if (!this.swallowing || this.answered + 1 < this.swallowing.from) passed.push(message.whole);
      if (isReady(message)) this.answered += 1;
    }
    this.client.write(Buffer.concat(passed));
    if (this.swallowing?.fate === 'answer lost' && this.answered >= this.swallowing.from) this.client.resetAndDestroy();
  }

  private number({ whole, body }: Message): void {
    this.pid = body.readInt32BE(0);
    if (this.proxy.numbersSessions) whole.writeInt32BE(MADE_UP, HEADER_BYTES);
  }
}

const ON_ITS_WAY_MS = 300;
/** PostgreSQL's own are smaller. */
const MADE_UP = 2 ** 31 - 1;
/** Of a message: its type and how long it is. */
const HEADER_BYTES = 5;

const isReady = ({ type }: Message): boolean => type === 'Z';
