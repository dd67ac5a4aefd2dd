/** The mails about a payment for which its payee has something to do. Each leads to the page of that payment. */
import type { Client } from '#libs/clients';
import { businessName, letterToPayee, personName } from '#libs/mail';
import { languageOf, wordsIn } from '#libs/payee-words';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';

type Letter = ReturnType<typeof letterToPayee>;

/** claim: it waits for them. returned: their bank sent it back. needs: their account is not ready for it. */
export type About = 'claim' | 'returned' | 'needs';

export function letterAbout(
  about: About,
  { client, payee, payout, until }: { client: Client; payee: Payee; payout: Payout; until: Date | null },
): Letter {
  const words = wordsIn(languageOf([payee.locale, client.locale]));
  const from = businessName(client.brand.name ?? client.name);
  const name = personName(payout.destination?.name ?? payee.name);
  const amount = words.amount(payout.amountCents, payout.currency);
  const intro = words.say(`mail.${about}.text`, { from, amount });
  return letterToPayee({
    ...{ language: words.language, direction: words.direction, brand: client.brand },
    subject: words.say(`mail.${about}.subject`, { from }),
    greeting: name ? words.say('mail.hello', { name }) : words.say('mail.hello.nobody'),
    intro: until ? `${intro} ${words.say('claim.until', { from, until: words.day(until) })}` : intro,
    button: words.say(`mail.${about}.button`),
    note: words.say(about === 'returned' ? 'mail.returned.note' : 'mail.claim.note'),
  });
}
