/** The mail with the link to a payment that waits for its payee. */
import type { Client } from '#libs/clients';
import { businessName, letterToPayee, personName } from '#libs/mail';
import { languageOf, wordsIn } from '#libs/payee-words';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';

type Letter = ReturnType<typeof letterToPayee>;

export function claimLinkLetter(client: Client, payee: Payee, { amountCents, currency, destination }: Payout): Letter {
  const words = wordsIn(languageOf([payee.locale, client.locale]));
  const from = businessName(client.brand.name ?? client.name);
  const name = personName(destination?.name ?? payee.name);
  return letterToPayee({
    ...{ language: words.language, direction: words.direction },
    subject: words.say('mail.claim.subject', { from }),
    greeting: name ? words.say('mail.hello', { name }) : words.say('mail.hello.nobody'),
    intro: words.say('mail.claim.text', { from, amount: words.amount(amountCents, currency) }),
    button: words.say('mail.claim.button'),
    note: words.say('mail.claim.note'),
  });
}
