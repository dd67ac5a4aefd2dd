/** The mails about a payment for which its payee has something to do. Each leads to the page of that payment. */
import type { Custody } from '#libs/domain';
import { businessName, letterToPayee, personName } from '#libs/mail';
import { languageOf, type Sentence, wordsIn } from '#libs/payee-words';
import type { Payout } from '#libs/payout-rules';
import { untilOf } from '../pages/portal-words';
import type { ClaimVisit } from '../use-cases/visit-claim';

type Letter = ReturnType<typeof letterToPayee>;

/**
 * claim: it waits for them. again: it could not be sent to the address that they gave. returned: it was sent back. needs: their
 * account is not ready for it. not_accepted: their account is ready, and did not take it.
 */
export type About = 'claim' | 'again' | 'returned' | 'needs' | 'not_accepted';

const NOTES = {
  claim: 'mail.claim.note',
  again: 'drain.fixed.text',
  returned: 'mail.returned.note',
  needs: 'mail.claim.note',
  not_accepted: 'mail.claim.note',
} as const;

export function letterAbout(
  about: About,
  { client, payee, payout, custody, until }: Pick<ClaimVisit, 'client' | 'payee' | 'payout' | 'custody' | 'until'>,
): Letter {
  const words = wordsIn(languageOf([payee.locale, client.locale]));
  const from = businessName(client.brand.name ?? client.name);
  const name = personName(payout.destination?.name ?? payee.name);
  const amount = words.amount(payout.amountCents, payout.currency);
  return letterToPayee({
    ...{ language: words.language, direction: words.direction, brand: client.brand },
    subject: words.say(`mail.${about}.subject`, { from }),
    greeting: name ? words.say('mail.hello', { name }) : words.say('mail.hello.nobody'),
    intro: words.say(about === 'returned' ? returnedText(payout, custody) : `mail.${about}.text`, { from, amount }),
    ...(about === 'claim' || about === 'again' ? { sums: [amount] } : {}),
    ...(until ? { until: words.say(untilOf(payout), { from, until: words.day(until) }) } : {}),
    button: words.say(`mail.${about}.button`),
    note: words.say(NOTES[about], { from }),
  });
}

/** What paid owed rows is owed again; and where their money is in no account, no bank sent it back. */
function returnedText({ consolidates }: Payout, custody: Custody | null): Sentence {
  const isByBank = custody === null || custody === 'custodial';
  if (consolidates) return isByBank ? 'mail.returned.owed' : 'mail.returned.owed_elsewhere';
  return isByBank ? 'mail.returned.text' : 'mail.returned.elsewhere';
}
