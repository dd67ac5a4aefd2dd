/** The mails about a payment for which its payee has something to do. Each leads to the page of that payment. */
import type { Client } from '#libs/clients';
import { businessName, letterToPayee, personName } from '#libs/mail';
import { languageOf, wordsIn } from '#libs/payee-words';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';

type Letter = ReturnType<typeof letterToPayee>;

/**
 * claim: it waits for them. again: the address that they gave was refused. returned: their bank sent it back. needs: their account
 * is not ready for it.
 */
export type About = 'claim' | 'again' | 'returned' | 'needs';

const NOTES = {
  claim: 'mail.claim.note',
  again: 'drain.fixed.text',
  returned: 'mail.returned.note',
  needs: 'mail.claim.note',
} as const;

export function letterAbout(
  about: About,
  { client, payee, payout, until }: { client: Client; payee: Payee; payout: Payout; until: Date | null },
): Letter {
  const words = wordsIn(languageOf([payee.locale, client.locale]));
  const from = businessName(client.brand.name ?? client.name);
  const name = personName(payout.destination?.name ?? payee.name);
  const amount = words.amount(payout.amountCents, payout.currency);
  return letterToPayee({
    ...{ language: words.language, direction: words.direction, brand: client.brand },
    subject: words.say(`mail.${about}.subject`, { from }),
    greeting: name ? words.say('mail.hello', { name }) : words.say('mail.hello.nobody'),
    intro: words.say(`mail.${about}.text`, { from, amount }),
    ...(about === 'claim' || about === 'again' ? { sums: [amount] } : {}),
    ...(until ? { until: words.say('claim.until', { from, until: words.day(until) }) } : {}),
    button: words.say(`mail.${about}.button`),
    note: words.say(NOTES[about], { from }),
  });
}
