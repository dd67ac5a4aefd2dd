/** Tells a payee that somebody owes them money, and how much. Its link shows nothing by itself: a click there mails them a fresh one. */
import { languageOf, wordsIn } from '#libs/payee-words';
import type { Letter } from '../mail';
import { letterToPayee, type LetterToPayee } from './letter-to-payee';
import { personName } from './person-name';
import { businessName } from './words';

export interface MoneyWaiting {
  clientName: string;
  payeeName: string | null;
  /** One for each currency. */
  amounts: { currency: string; cents: number }[];
  /** The languages to write in, by preference; the first that we have is used. */
  locales?: (string | null)[];
  brand?: LetterToPayee['brand'];
}

export function moneyWaiting({ clientName, payeeName, amounts, locales = [], brand = {} }: MoneyWaiting): Letter {
  const words = wordsIn(languageOf(locales));
  const from = businessName(clientName);
  const name = personName(payeeName);
  return letterToPayee({
    ...{ language: words.language, direction: words.direction, brand },
    subject: words.say('mail.waiting.subject', { from }),
    greeting: name ? words.say('mail.hello', { name }) : words.say('mail.hello.nobody'),
    intro: words.say('mail.waiting.text', { from }),
    sums: amounts.map(({ currency, cents }) => words.amount(cents, currency)),
    button: words.say('mail.waiting.button'),
    note: words.say('mail.waiting.note'),
  });
}
