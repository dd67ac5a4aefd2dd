/** The way to the mail server, where there is one. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { CONFIG, type Config } from '#libs/config';
import { Db } from '#libs/db';
import { log } from '#libs/telemetry';
import type { Mail } from './mail';

/** `refused`: the server will never take it. `later`: it may, or nobody answered. */
export type SmtpOutcome = { kind: 'sent' } | { kind: 'refused' | 'later'; error: string };

const DEADLINES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

@Injectable()
export class Smtp implements OnModuleInit {
  private readonly transport: Transporter | null;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'production' | 'publicUrl'>,
    private readonly db: Db,
  ) {
    const { smtpUrl, mailFrom } = config;
    this.transport = smtpUrl === null ? null : createTransport({ url: smtpUrl, ...DEADLINES }, { from: mailFrom });
  }

  onModuleInit(): void {
    if (this.config.production && !this.isThere)
      log.warn({ event: 'mail.kept' }, 'SMTP_URL is not set: mails are kept and not sent');
  }

  get isThere(): boolean {
    return this.transport !== null;
  }

  /** Sent twice, after a crash, it has the same Message-ID: mail programs show it once. */
  async send({ id, toAddress, subject, bodyText, bodyHtml }: Mail): Promise<SmtpOutcome> {
    this.db.assertNoTransaction('Sending a mail');
    const messageId = `<${id}@${new URL(this.config.publicUrl).hostname}>`;
    const headers = { 'auto-submitted': 'auto-generated' };
    const message = {
      to: { name: '', address: toAddress },
      subject,
      text: bodyText,
      html: bodyHtml,
      messageId,
      headers,
    };
    try {
      await this.transport?.sendMail({ ...message, disableFileAccess: true, disableUrlAccess: true });
      return { kind: 'sent' };
    } catch (error) {
      return outcomeOf(error as SmtpError);
    }
  }
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
}

/** Only codes: what a server says in words often repeats the address. */
function outcomeOf({ code = 'unknown', responseCode }: SmtpError): SmtpOutcome {
  const error = responseCode ? `${code} ${responseCode}` : code;
  // 5xx about the recipient or the message is final; about our own login it is ours to mend.
  const final = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH';
  return { kind: final ? 'refused' : 'later', error };
}
