/** A real mail server on loopback, and the mailboxes behind it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually } from './api';

export class MailServer {
  private readonly mailboxes = new Map<string, string[]>();
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData: (stream, { envelope: { rcptTo } }, done) => {
      void text(stream).then((source) => {
        for (const { address } of rcptTo) this.mailboxes.set(address, [...this.of(address), readable(source)]);
        done();
      }, done);
    },
  });

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server.server, 'listening');
    return this;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** The mail that somebody got, with this in it. */
  async mailTo(address: string, has: RegExp): Promise<string> {
    const mails = await eventually(
      () => Promise.resolve(this.of(address)),
      (all) => all.some((mail) => has.test(mail)),
    );
    return mails.find((mail) => has.test(mail)) as string;
  }

  async stop(): Promise<void> {
    await new Promise<void>((stopped) => this.server.close(() => stopped()));
  }

  private of(address: string): string[] {
    return this.mailboxes.get(address) ?? [];
  }
}

/** Long lines are broken on their way, and put together again by whoever reads them. */
const readable = (source: string): string => source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
