export { letterToPayee } from './letters/letter-to-payee';
export { moneyWaiting, type MoneyWaiting } from './letters/money-waiting';
export { personName } from './letters/person-name';
export { businessName } from './letters/words';
export type { NewMail } from './mail';
export { MailModule } from './mail.module';
export { MailOutbox } from './use-cases/mail-outbox';
