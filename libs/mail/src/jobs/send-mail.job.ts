import { Injectable } from '@nestjs/common';
import { type JobOutcome, OnJob } from '#libs/jobs';
import { SendMail } from '../use-cases/send-mail';

@Injectable()
export class SendMailJob {
  constructor(private readonly sender: SendMail) {}

  @OnJob('mail.send')
  send(mailId: string, attempts: number): Promise<JobOutcome> {
    return this.sender.run(mailId, attempts);
  }
}
