/** Mails to payees are kept for as long as this deployment says. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { MailStore } from '../db/mail.store';

const PORTION = 1_000;

@Injectable()
export class ForgetMails {
  constructor(
    private readonly mails: MailStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mailsKeptDays'>,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    const { mailsKeptDays: days } = this.config;
    if (days === 0) return;
    let forgotten = PORTION;
    while (forgotten === PORTION && !signal.aborted) forgotten = await this.mails.forget(days, PORTION);
  }
}
