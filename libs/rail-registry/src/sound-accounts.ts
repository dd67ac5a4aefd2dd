/** A rail's answers about accounts, made fit to be believed and kept: an impossible answer counts as none. */
import { KYC_STATUSES, ONBOARDING_STATUSES } from '#libs/domain';
import {
  type AccountDetails,
  type AccountFact,
  OPENING_REFUSALS,
  type OnboardingLinkFact,
  type OpeningFact,
  type Unknown,
} from '#libs/rail-kit';

const LONGEST = { brand: 80, name: 200, accountId: 255 };
const LAST4 = /^[0-9A-Za-z]{2,4}$/;
const CURRENCY = /^[A-Z]{3}$/;
const COUNTRY = /^[A-Z]{2}$/;
/** A provider may write a whole number where a name belongs. */
const NUMBER_OF_AN_ACCOUNT = /\d(?:[ -]?\d){5,}/g;
const ACCOUNT_ID = /^[\x21-\x7e]+$/;
const LINK = /^[\x21-\x7e]+$/;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export function soundAccount(fact: AccountFact): AccountFact {
  if (fact.kind !== 'account') return fact;
  const { payable, kyc, onboarding, country, details, ...others } = fact;
  if (typeof payable !== 'boolean' || !KYC_STATUSES.includes(kyc) || !ONBOARDING_STATUSES.includes(onboarding))
    return unknown(`the rail says of an account '${String(kyc)}' and '${String(onboarding)}'`);
  return {
    ...others,
    ...{ payable, kyc, onboarding, country: matching(country, COUNTRY) },
    ...(details ? { details: soundDetails(details) } : {}),
  };
}

export function soundOpening(fact: OpeningFact): OpeningFact {
  if (fact.kind === 'refused') return soundRefusal(fact);
  if (fact.kind !== 'opened') return fact;
  const { accountId } = fact;
  const isId = typeof accountId === 'string' && accountId.length <= LONGEST.accountId && ACCOUNT_ID.test(accountId);
  return isId ? fact : unknown('the rail opened an account and gives it no name that can be kept');
}

/** The reason does not quote the answer: the link would stand in it. */
export function soundLink(fact: OnboardingLinkFact): OnboardingLinkFact {
  if (fact.kind === 'refused') return soundRefusal(fact);
  if (fact.kind !== 'link') return fact;
  const { url } = fact;
  if (typeof url !== 'string' || !LINK.test(url) || !URL.canParse(url))
    return unknown('the rail gave a link that is none');
  const { protocol, hostname } = new URL(url);
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
  return isPrivate ? fact : unknown('the rail gave a link that others can read along');
}

function soundRefusal<Refusal extends { failure: (typeof OPENING_REFUSALS)[number] }>(
  fact: Refusal,
): Refusal | Unknown {
  return OPENING_REFUSALS.includes(fact.failure) ? fact : unknown(`the rail refused for '${String(fact.failure)}'`);
}

const soundDetails = ({ brand, last4, currency, name, isRejectedForGood }: AccountDetails): AccountDetails => ({
  brand: words(brand, LONGEST.brand),
  last4: matching(last4, LAST4),
  currency: matching(currency, CURRENCY),
  name: words(name, LONGEST.name),
  ...(isRejectedForGood === true ? { isRejectedForGood } : {}),
});

function words(text: string | null, most: number): string | null {
  if (typeof text !== 'string') return null;
  // By characters and not by halves of them.
  const cut = [...text.replace(NUMBER_OF_AN_ACCOUNT, '…').trim()].slice(0, most).join('');
  return cut === '' ? null : cut;
}

const matching = (text: string | null, form: RegExp): string | null =>
  typeof text === 'string' && form.test(text) ? text : null;

const unknown = (detail: string): Unknown => ({ kind: 'unknown', detail });
