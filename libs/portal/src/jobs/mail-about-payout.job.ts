import { Injectable } from '@nestjs/common';
import { OnJob } from '#libs/jobs';
import { MailAboutPayout } from '../use-cases/mail-about-payout';

@Injectable()
export class MailAboutPayoutJob {
  constructor(private readonly mailing: MailAboutPayout) {}

  @OnJob('mail.about_payout')
  mail(payoutId: string): Promise<void> {
    return this.mailing.run(payoutId);
  }
}
