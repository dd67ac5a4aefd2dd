/** A real SMTP server on loopback that keeps what it takes, and refuses what it is told to. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Received {
  from: string;
  to: string[];
  source: string;
}

export class MailServer {
  readonly received: Received[] = [];
  /** The answers to the next recipients: a code, or none to take it. */
  answers: (number | undefined)[] = [];
  readonly asked: string[] = [];
  private server: SMTPServer | null = null;
  private port = 0;

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** On the port it had before, where it was there before. */
  async start(): Promise<void> {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      onRcptTo: ({ address }, _, done) => {
        this.asked.push(address);
        const code = this.answers.shift();
        done(code ? Object.assign(new Error(`no such box: ${address}`), { responseCode: code }) : undefined);
      },
      onData: (stream, { envelope }, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = envelope;
          this.received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            source: Buffer.concat(parts).toString('utf8'),
          });
          done();
        });
      },
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server.server, 'listening');
    this.port = (this.server.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
