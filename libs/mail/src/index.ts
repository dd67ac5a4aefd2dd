export { moneyWaiting, type MoneyWaiting } from './letters/money-waiting';
export type { NewMail } from './mail';
export { MailModule } from './mail.module';
export { MailOutbox } from './use-cases/mail-outbox';
