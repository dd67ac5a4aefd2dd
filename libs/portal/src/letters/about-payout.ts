/** The mails about a payment for which its payee has something to do. Each leads to the page of that payment. */
import { letsWithdraw } from '#libs/disbursements';
import { businessName, letterToPayee, personName } from '#libs/mail';
import { languageOf, type Sentence, wordsIn } from '#libs/payee-words';
import { untilOf } from '../pages/portal-words';
import { setUpStep, type SetUpStep } from '../use-cases/set-up-step';
import type { ClaimVisit } from '../use-cases/visit-claim';

type Seen = Pick<ClaimVisit, 'client' | 'payee' | 'payout' | 'custody' | 'until' | 'goesOn'>;
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

/** The sum stands below them. */
const SAYS_NO_SUM = new Set<Sentence>(['mail.claim.text', 'mail.again.text', 'notice.not_accepted.itself']);

export function letterAbout(about: About, { client, payee, payout, custody, until, goesOn }: Seen): Letter {
  const words = wordsIn(languageOf([payee.locale, client.locale]));
  const from = businessName(client.brand.name ?? client.name);
  // A payee who is asked again is addressed as they are now: see `readerOf`.
  const name = personName(about === 'again' ? payee.name : (payout.destination?.name ?? payee.name));
  const step = about === 'needs' ? setUpStep(payee, client) : null;
  const amount = words.amount(payout.amountCents, payout.currency);
  const intro = introOf(about, step, { client, payout, custody, goesOn });
  return letterToPayee({
    ...{ language: words.language, direction: words.direction, brand: client.brand },
    subject: words.say(`mail.${about}.subject`, { from }),
    greeting: name ? words.say('mail.hello', { name }) : words.say('mail.hello.nobody'),
    intro: words.say(intro, { from, amount }),
    ...(SAYS_NO_SUM.has(intro) ? { sums: [amount] } : {}),
    ...(until ? { until: words.say(untilOf({ payout, client }), { from, until: words.day(until) }) } : {}),
    button: words.say(step === 'checking' || step === 'rejected' ? 'mail.claim.button' : `mail.${about}.button`),
    note: words.say(NOTES[about], { from }),
  });
}

/** A payee who is being checked has nothing to do yet, and a rejection may be final: the page tells them. */
function introOf(
  about: About,
  step: SetUpStep | null,
  { goesOn, ...returned }: Pick<ClaimVisit, 'client' | 'payout' | 'custody' | 'goesOn'>,
): Sentence {
  if (about === 'returned') return returnedText(returned);
  if (about === 'not_accepted' && goesOn) return 'notice.not_accepted.itself';
  return step === 'checking' || step === 'rejected' ? `mail.needs.${step}` : `mail.${about}.text`;
}

/** If it paid owed rows, they are owed again, and the payee may withdraw them; if its rail has no accounts, no bank sent it back. */
function returnedText({ client, payout, custody }: Pick<ClaimVisit, 'client' | 'payout' | 'custody'>): Sentence {
  const isByBank = custody === null || custody === 'custodial';
  if (payout.consolidates && letsWithdraw(client))
    return isByBank ? 'mail.returned.owed' : 'mail.returned.owed_elsewhere';
  return isByBank ? 'mail.returned.text' : 'mail.returned.elsewhere';
}
