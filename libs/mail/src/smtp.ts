/** The way to the mail server, if there is one. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { CONFIG, type Config } from '#libs/config';
import { Db } from '#libs/db';
import { log } from '#libs/telemetry';
import type { Mail } from './mail';
import { isSendable, messageOf } from './message';

/** `refused`: the server will never take it. `later`: it may, or nobody answered. */
export type SmtpOutcome = { kind: 'sent' } | { kind: 'refused' | 'later'; error: string };

/** Each of these starts over with every byte; a server that drips its answer is cut off by the deadline of the whole. */
const SILENCES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };
const DEADLINE_MS = 60_000;

@Injectable()
export class Smtp implements OnModuleInit {
  private readonly transport: Transporter | null;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'production' | 'publicUrl'>,
    private readonly db: Db,
  ) {
    const { smtpUrl } = config;
    const requireTLS = smtpUrl !== null && config.production && sendsPasswordElsewhere(smtpUrl);
    this.transport = smtpUrl === null ? null : createTransport({ url: smtpUrl, requireTLS, ...SILENCES });
  }

  onModuleInit(): void {
    if (this.config.production && !this.isThere)
      log.warn({ event: 'mail.kept' }, 'SMTP_URL is not set: mails are kept and not sent');
  }

  get isThere(): boolean {
    return this.transport !== null;
  }

  async send(mail: Mail, deadlineMs = DEADLINE_MS): Promise<SmtpOutcome> {
    this.db.assertNoTransaction('Sending a mail');
    if (!isSendable(mail.toAddress, mail.subject)) return { kind: 'refused', error: 'EUNSAFE' };
    const message = messageOf(mail, this.config.mailFrom, this.config.publicUrl);
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      await this.transport?.sendMail({ ...message, ...{ signal } }); // spread, as the typings do not know it yet
      return { kind: 'sent' };
    } catch (error) {
      return outcomeOf(error as SmtpError);
    }
  }
}

/** Whoever stands between could keep from us that the server encrypts, and read the password along. An address may say otherwise (`?requireTLS=false`). */
function sendsPasswordElsewhere(smtpUrl: string): boolean {
  const { password, hostname } = new URL(smtpUrl);
  return password !== '' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  /** The command that the server answered. */
  command?: string;
}

const ABOUT_THE_MAIL = ['MAIL FROM', 'RCPT TO', 'DATA'];
const LOGIN_REQUIRED = 530;

/** Only codes: what a server says in words often repeats the address. */
function outcomeOf({ code = 'unknown', responseCode = 0, command = '' }: SmtpError): SmtpOutcome {
  const error = responseCode ? `${code} ${responseCode}` : code;
  // 5xx about the mail is final; about the greeting, TLS or the login it is ours to mend, and the mail waits for that.
  const final = responseCode >= 500 && responseCode !== LOGIN_REQUIRED && ABOUT_THE_MAIL.includes(command);
  return { kind: final ? 'refused' : 'later', error };
}
