/** What rails said right before money leaves: of the payout itself, and of what its rows were on before. For how long it counts. */
import type { DecidedOf } from '#libs/drift';
import type { LookupFact } from '#libs/rail-kit';
import type { Payout } from './payout';
import { isOldAnswer } from './rail-no';
import type { SentCode } from './sent-codes';

/** What rails said of payouts, as the payouts stood at the time. */
export interface Cleared {
  /** When the first of them was asked, and the last. */
  askedAt: Date;
  lastAskedAt: Date | null;
  said: ReadonlyMap<string, Said>;
}

export interface Said {
  answer: EarlierAnswer;
  /** As it stood when it was asked about: of what became of it since, and of what was decided by that, the answer says nothing. */
  asked: Payout;
}

/**
 * no: it moved nothing, and will not. silent: it could not be asked, so what it said before does not count now, nor what an operator found
 * out before. listed: nor could it be asked, and what came back was out once more, or may be by its list. forgotten: it may have known the code once, and
 * does not any more.
 */
export type EarlierAnswer = 'no' | 'yes' | 'silent' | 'listed' | 'forgotten';

export type Decided = ReadonlyMap<string, DecidedOf>;

export interface Clearance {
  isClear: boolean;
  /** When what counts here was asked, the oldest of it; null: nothing had to be asked. */
  askedAt: Date | null;
}

export const NOTHING_TO_ASK: Clearance = { isClear: true, askedAt: null };
export const NOT_CLEAR: Clearance = { isClear: false, askedAt: null };

/** Both have to be clear, and none of the answers old. */
export function bothClear(one: Clearance, other: Clearance): Clearance {
  const [oldest = null] = [one.askedAt, other.askedAt].filter((at) => at !== null).sort((a, b) => +a - +b);
  return { isClear: one.isClear && other.isClear, askedAt: oldest };
}

export const isOldClearance = ({ askedAt }: Clearance, now: Date): boolean =>
  askedAt !== null && isOldAnswer(askedAt, now);

/** What a provider took back it may pay after all, as when a reversal is cancelled: within days, and a rail may be silent for ever. */
const BACK_FOR_GOOD_AFTER_MS = 10 * 86_400_000;

const isBackForGood = ({ status, updatedAt }: Payout, askedAt: Date): boolean =>
  status === 'returned' && askedAt.getTime() - updatedAt.getTime() > BACK_FOR_GOOD_AFTER_MS;

/** Its rows stay for that. */
export const isSilence = ({ answer, asked }: Said, askedAt: Date): boolean =>
  answer === 'listed' || (answer === 'silent' && !isBackForGood(asked, askedAt));

/** About what an operator looked into a rail that answers only repeats itself. */
export const isFree = (code: SentCode, cleared: Cleared, decided: Decided): boolean =>
  code.sent === null ||
  answerAbout(code.sent, cleared) === 'no' ||
  (isBackForGood(code.sent, cleared.askedAt) && answerAbout(code.sent, cleared) === 'silent') ||
  (isDecided(code, decided) && isHeard(code.sent, cleared, decided));

export const isDecided = ({ sent }: SentCode, decided: Decided): boolean => sent !== null && decided.has(sent.id);

/**
 * Another account than it was sent with cannot tell what became of it, nor whether what came back is out again. `isNo`: that one had said its last
 * word.
 */
export const tellsNothing = ({ status, sentElsewhere }: Payout, { kind }: LookupFact, isNo: boolean): boolean =>
  kind === 'unknown' || (kind === 'never_seen' && sentElsewhere && (status === 'returned' || !isNo));

/** It was asked about, and that told nothing. */
export const isSilent = ({ sent }: SentCode, cleared: Cleared, decided: Decided): boolean =>
  sent !== null && cleared.said.has(sent.id) && !isHeard(sent, cleared, decided);

/**
 * Those that there was no time to ask about, of rails that told nothing of any other one. Of one that only cannot tell of some it says
 * nothing that it is silent: the others would be left behind each time.
 */
export function leftOut(toAsk: Payout[], said: Cleared['said']): Payout[] {
  const asked = [...said.values()].filter(({ asked: { status } }) => status === 'failed');
  const heard = new Set(asked.flatMap((about) => (about.answer === 'silent' ? [] : about.asked.provider)));
  const silent = new Set(asked.map((about) => about.asked.provider).filter((provider) => !heard.has(provider)));
  return toAsk.filter((payout) => !said.has(payout.id) && silent.has(payout.provider) && payout.status !== 'returned');
}

/**
 * A rail that has forgotten it tells nothing, unless an operator decided about it once all of it had moved: what was only taken on by then may have
 * moved since. That counts as it is by now, for they may have decided while it was asked.
 */
function isHeard(payout: Payout, cleared: Cleared, decided: Decided): boolean {
  const answer = answerAbout(payout, cleared);
  if (answer === 'forgotten') return decided.get(payout.id) === 'moved';
  return answer === 'yes' || answer === 'no';
}

/** null: it was not asked about as it stands now; or another account was asked than is bound by now. */
function answerAbout({ id, sequence, attempt, sentElsewhere }: Payout, { said }: Cleared): EarlierAnswer | null {
  const about = said.get(id);
  const isOfNow = about?.asked.sequence === sequence && about.asked.attempt === attempt;
  return isOfNow && about.asked.sentElsewhere === sentElsewhere ? about.answer : null;
}
