/** Mails: queued with what they tell about, sent afterwards, or kept if there is no mail server. */
import { Module } from '@nestjs/common';
import { MailReads } from './db/mail.reads';
import { MailStore } from './db/mail.store';
import { MailboxController } from './http/mailbox.controller';
import { ForgetMailsJob } from './jobs/forget-mails.job';
import { RecoverMailsJob } from './jobs/recover-mails.job';
import { SendMailJob } from './jobs/send-mail.job';
import { MailLinks } from './mail-links';
import { Smtp } from './smtp';
import { AllowMail } from './use-cases/allow-mail';
import { ClearMailbox } from './use-cases/clear-mailbox';
import { ForgetMails } from './use-cases/forget-mails';
import { MailOutbox } from './use-cases/mail-outbox';
import { QueueAwaited } from './use-cases/queue-awaited';
import { ResealLinks } from './use-cases/reseal-links';
import { ResendMail } from './use-cases/resend-mail';
import { SendMail } from './use-cases/send-mail';

@Module({
  controllers: [MailboxController],
  providers: [
    MailReads,
    MailStore,
    MailLinks,
    Smtp,
    MailOutbox,
    AllowMail,
    QueueAwaited,
    SendMail,
    ResendMail,
    ResealLinks,
    ClearMailbox,
    SendMailJob,
    ForgetMails,
    ForgetMailsJob,
    RecoverMailsJob,
  ],
  exports: [MailOutbox, QueueAwaited, MailReads, ResealLinks, ResendMail],
})
export class MailModule {}
