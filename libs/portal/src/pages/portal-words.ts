/** Texts shown instead of a wallet, or in answer to what was asked of it. */
import type { Custody, ErrorCode, PayeeNotice } from '#libs/domain';
import type { Balance } from '#libs/balances';
import { type AgainstWithdrawal, letsWithdraw, type WithdrawOutlook } from '#libs/disbursements';
import type { Sentence, Words } from '#libs/payee-words';
import type { CameBack } from '../came-back';
import type { Unsent } from '../use-cases/set-up-account';
import type { ClaimVisit } from '../use-cases/visit-claim';
import type { Wallet } from '../use-cases/read-wallet';
import type { WordPage } from './wallet';

export type Said = Pick<WordPage, 'mood' | 'heading' | 'text' | 'button' | 'leadsBack' | 'filledIn'>;

export const CLOSED: Said = { mood: 'wait', heading: 'closed.heading', text: 'closed.text' };
export const LEFT: Said = { mood: 'good', heading: 'left.heading', text: 'left.text' };
export const OUTDATED: Said = { mood: 'bad', heading: 'stale.heading', text: 'stale.text', leadsBack: true };
export const FRESH: Said = { mood: null, heading: 'fresh.heading', text: 'fresh.text', leadsBack: true };

/** The money that was sent may be there by now. */
export const ARRIVED: Said = { mood: 'good', heading: 'claim.paid.heading', text: 'claim.paid.text', leadsBack: true };
export const BEGUN: Said = { mood: 'wait', heading: 'drain.done.heading', text: 'drain.done.text', leadsBack: true };
export const FIXED: Said = { mood: 'bad', heading: 'drain.fixed.heading', text: 'drain.fixed.text', leadsBack: true };
export const BLOCKED: Said = { mood: 'wait', heading: 'blocked.heading', text: 'blocked.text', leadsBack: true };
export const LATER: Said = { mood: 'wait', heading: 'later.heading', text: 'later.text', leadsBack: true };

/** A link is in the mail. `to`: what sends one more, once: so many are allowed that the first two arrive. */
export const sentBy = (to: string, isAgain: boolean, form: string | null = null): Said => ({
  mood: 'good',
  heading: isAgain ? 'sent.again.heading' : 'sent.heading',
  text: 'sent.text',
  ...(isAgain ? {} : { button: { label: 'sent.again', to: `${to}?again=yes`, form, isSecond: true } }),
});

/** Nor is one sent again now. `leadsBack`: their wallet is open here. */
export const unsentFor = (why: Unsent['why'], leadsBack: boolean): Said => ({
  mood: 'wait',
  heading: 'unsent.heading',
  text: UNSENT[why] ?? 'unsent.text',
  leadsBack,
});

const UNSENT: Partial<Record<Unsent['why'], Sentence>> = {
  no_mails_left: 'unsent.no_mails',
  payee_cooling_down: 'unsent.changed',
  payee_email_missing: 'unsent.no_address',
};

const WHY: Partial<Record<ErrorCode | AgainstWithdrawal, Sentence>> = {
  payer_not_found: 'refused.withdrawals_disabled',
  withdrawals_disabled: 'refused.withdrawals_disabled',
  payee_not_payable: 'refused.payee_not_payable',
  cooling: 'refused.cooling',
  details: 'notice.details',
  nothing_to_withdraw: 'refused.nothing_to_withdraw',
  below_minimum_withdrawal: 'refused.below_minimum_withdrawal',
  above_maximum_withdrawal: 'refused.above_maximum_withdrawal',
  withdrawal_frequency_limited: 'refused.withdrawal_frequency_limited',
};

export const saysAgainst = (code: ErrorCode | AgainstWithdrawal): Sentence => WHY[code] ?? 'later.text';

type Limited = Pick<Wallet, 'balances'> & { outlook: WithdrawOutlook };

/** `limited`: when, or with how much, they could. */
export function refusedWithdrawal(code: ErrorCode | AgainstWithdrawal, limited: Limited | null = null): Said {
  if (code === 'client_suspended') return BLOCKED;
  const against = code === 'payee_not_payable' && limited?.outlook.against === 'cooling' ? 'cooling' : code;
  // Their wallet says how it stands by now.
  if (isOver(against, limited)) return OUTDATED;
  return {
    mood: 'wait',
    heading: against === 'nothing_to_withdraw' ? 'refused.heading.nothing' : 'refused.heading.withdraw',
    text: isAllGone(against, limited) ? 'refused.nothing_left' : saysAgainst(against),
    ...(limited ? { filledIn: (words: Words) => limitsIn(words, against, limited) } : {}),
    leadsBack: true,
  };
}

/** Nor is anything kept back. */
const isAllGone = (against: string, limited: Limited | null): boolean =>
  against === 'nothing_to_withdraw' && currenciesOf(limited?.balances ?? []).length === 0;

/** Its time is up, or there is nothing left that it could be about. */
function isOver(against: string, limited: Limited | null): boolean {
  if (against === 'withdrawal_frequency_limited') return !limited?.outlook.nextAt;
  return OF_AMOUNT.has(against) && currenciesOf(limited?.balances ?? []).length === 0;
}

const OF_AMOUNT: ReadonlySet<string> = new Set(['below_minimum_withdrawal', 'above_maximum_withdrawal']);

const currenciesOf = (balances: Balance[]): string[] =>
  balances.flatMap(({ currency, withdrawableCents }) => (withdrawableCents > 0 ? currency : []));

/** By when, and with how much, it could be withdrawn. A limit counts in each currency that there is something of. */
export function limitsIn(
  words: Words,
  against: ErrorCode | AgainstWithdrawal,
  { outlook: { minCents, maxCents, nextAt }, balances }: Limited,
): Record<string, string> {
  const cents = against === 'above_maximum_withdrawal' ? maxCents : minCents;
  return {
    amount: currenciesOf(balances)
      .map((currency) => words.amount(cents, currency))
      .join(' / '),
    when: nextAt ? words.moment(wholeMinute(nextAt)) : '',
  };
}

const MINUTE_MS = 60_000;
/** A moment says no seconds: whoever comes in its minute is not too early. */
const wholeMinute = (at: Date): Date => new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS);

export interface Noticed {
  isPayable: boolean;
  /** Nothing stands against every payment to them: else none goes on before that is lifted, whatever it waits for besides. */
  isServed: boolean;
  /** While they are not: there is something that they can do about it now. */
  isTheirTurn: boolean;
  /** The held payment goes on by itself. */
  goesOn: boolean;
  /** null: it paid nothing that is owed again. */
  back: CameBack | null;
  custody: Custody | null;
}

/** Of what came to nothing, and can be withdrawn again. */
const AGAIN = {
  not_taken: 'notice.back',
  unclaimed: 'notice.back.unclaimed',
  called_off: 'notice.back.called_off',
  sent_back: 'notice.back.sent_back',
  returned: 'notice.back.returned',
} as const satisfies Partial<Record<PayeeNotice | 'returned', Sentence>>;

type Told = PayeeNotice | 'returned';
const cameToNothing = (told: Told): told is keyof typeof AGAIN => told in AGAIN;

const isElsewhere = (custody: Custody | null): boolean => custody !== null && custody !== 'custodial';

/** Where their money is in no account, no bank sends it back. */
const toldOf = (notice: PayeeNotice, custody: Custody | null): Told =>
  notice === 'sent_back' && isElsewhere(custody) ? 'returned' : notice;

/** Nor is there an account that they could look at. */
const againOf = (told: keyof typeof AGAIN, custody: Custody | null): Sentence =>
  told === 'not_taken' && isElsewhere(custody) ? 'notice.back.elsewhere' : AGAIN[told];

/** If a bank sent it back, the payee checks where they are paid, even while the money cannot leave again. */
const keptOf = (told: keyof typeof AGAIN): Sentence =>
  told === 'sent_back' ? 'notice.still_yours.sent_back' : 'notice.still_yours';

/** By itself, or once somebody has done something about it. */
const WOULD_GO_ON: ReadonlySet<Told> = new Set([
  ...(['tomorrow', 'too_little', 'tried_again', 'being_seen_to'] as const),
]);

/** Held when its payee was not ready, a payment does not go out by itself once they are. */
export function noticed(notice: PayeeNotice, seen: Noticed): Sentence {
  const { back, custody } = seen;
  if (back === 'replaced') return 'notice.replaced';
  const told = toldOf(notice, custody);
  if (!seen.isServed && WOULD_GO_ON.has(told)) return 'notice.on_hold';
  if (back && cameToNothing(told))
    return { owed: againOf(told, custody), not_ready: keptOf(told), left: 'notice.replaced' as const }[back];
  if (told === 'tried_again') return back ? 'notice.tried_again.owed' : 'notice.tried_again';
  return told === 'set_up' || told === 'not_accepted' ? ofAccount(told, seen) : `notice.${told}`;
}

function ofAccount(told: 'set_up' | 'not_accepted', seen: Noticed): Sentence {
  const { isPayable, isServed, isTheirTurn, goesOn, custody } = seen;
  // That an account refused it is no news to a payee who is asked to set one up.
  if (!isPayable) return isTheirTurn ? 'notice.set_up' : 'notice.not_ready';
  if (!isServed) return 'notice.on_hold';
  if (told === 'not_accepted') return goesOn ? 'notice.not_accepted.itself' : 'notice.not_accepted';
  if (goesOn) return 'notice.ready.itself';
  return isElsewhere(custody) ? 'notice.ready.elsewhere' : 'notice.ready';
}

/** What happens if nobody claims it: money paid from owed rows stays its payee's, although somebody else may withdraw it for them. */
export function untilOf({ payout, client }: Pick<ClaimVisit, 'payout' | 'client'>): Sentence {
  if (!payout.consolidates) return 'claim.until';
  return letsWithdraw(client) ? 'claim.until.owed' : 'claim.until.sent_again';
}

/** A code of the provider's, as `rejected.other`, tells a payee nothing. null: there is no sentence to say. */
export const reasonToSay = (reason: string | null): string | null =>
  reason === null || /^[\w.:-]+$/.test(reason) ? null : reason;
