import { Injectable } from '@nestjs/common';
import { OnJob } from '#libs/jobs';
import { MailClaimLink } from '../use-cases/mail-claim-link';

@Injectable()
export class MailClaimLinkJob {
  constructor(private readonly mailing: MailClaimLink) {}

  @OnJob('claim.mail')
  mail(payoutId: string): Promise<void> {
    return this.mailing.run(payoutId);
  }
}
