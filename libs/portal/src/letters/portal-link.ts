/** The mail with the link into a payee's wallet. Names come from callers, and go to whom the caller names: they say nothing else. */
import type { Client } from '#libs/clients';
import { businessName, letterToPayee, personName } from '#libs/mail';
import { languageOf, wordsIn } from '#libs/payee-words';
import type { Payee } from '#libs/payees';
import { LINK_SECONDS } from '../portal-session';

type Letter = ReturnType<typeof letterToPayee>;

export function portalLinkLetter(client: Client, payee: Payee): Letter {
  const words = wordsIn(languageOf([payee.locale, client.locale]));
  const from = businessName(client.brand.name ?? client.name);
  const name = personName(payee.name);
  return letterToPayee({
    ...{ language: words.language, direction: words.direction, brand: client.brand },
    subject: words.say('mail.portal.subject', { from }),
    greeting: name ? words.say('mail.hello', { name }) : words.say('mail.hello.nobody'),
    intro: words.say('mail.portal.text'),
    button: words.say('mail.portal.button'),
    note: words.say('mail.portal.note', { minutes: String(LINK_SECONDS / 60) }),
  });
}
