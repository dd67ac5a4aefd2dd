export { letterToPayee } from './letters/letter-to-payee';
export { moneyWaiting, type MoneyWaiting } from './letters/money-waiting';
export { personName } from './letters/person-name';
export { businessName } from './letters/words';
export { MailReads } from './db/mail.reads';
export { type Mail, MAIL_KINDS, MAIL_STATUSES, type MailKind, type MailStatus, type NewMail } from './mail';
export { MailModule } from './mail.module';
export { MailOutbox } from './use-cases/mail-outbox';
export { ResendMail } from './use-cases/resend-mail';
