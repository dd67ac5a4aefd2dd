/** What rails said right before money leaves: of the payout itself, and of what its rows were on before. For how long it counts. */
import type { DecidedOf } from '#libs/drift';
import type { Payout } from './payout';
import { isAsItWas, isOldAnswer } from './rail-no';
import { isOver, type SentCode } from './sent-codes';

/** What rails said of payouts, as the payouts stood at the time. */
export interface Cleared {
  /** When the first of them was asked, and the last. */
  askedAt: Date;
  lastAskedAt: Date | null;
  /** It moved nothing for them, and will not. */
  no: ReadonlyMap<string, Pick<Payout, 'sequence' | 'attempt'>>;
  /** It could not be asked: what it said before does not count now, nor what an operator found out before. */
  silent: ReadonlySet<string>;
  /** It answered, and can tell. */
  heard: ReadonlySet<string>;
}

/** forgotten: it may have known the code once, and does not any more. */
export type EarlierAnswer = 'no' | 'yes' | 'silent' | 'forgotten';

export type Decided = ReadonlyMap<string, DecidedOf>;

export interface Clearance {
  isClear: boolean;
  /** When what counts here was asked, the oldest of it; null: nothing had to be asked. */
  askedAt: Date | null;
}

export const NOTHING_TO_ASK: Clearance = { isClear: true, askedAt: null };

/** Both have to be clear, and none of the answers old. */
export function bothClear(one: Clearance, other: Clearance): Clearance {
  const [oldest = null] = [one.askedAt, other.askedAt].filter((at) => at !== null).sort((a, b) => +a - +b);
  return { isClear: one.isClear && other.isClear, askedAt: oldest };
}

export const isOldClearance = ({ askedAt }: Clearance, now: Date): boolean =>
  askedAt !== null && isOldAnswer(askedAt, now);

/** If an attempt was only taken on when an operator decided about it, it may have moved money since: a rail that has forgotten it cannot tell. */
export const tells = (answer: EarlierAnswer, decidedOf: DecidedOf | undefined): boolean =>
  answer !== 'silent' && !(answer === 'forgotten' && decidedOf === 'taken_on');

/** About what an operator looked into a rail that answers only repeats itself. */
export const isFree = (code: SentCode, cleared: Cleared, decided: Decided): boolean =>
  code.sent === null ||
  isOver(code) ||
  isCleared(code.sent, cleared) ||
  (isDecided(code, decided) && cleared.heard.has(code.sent.id));

export const isDecided = ({ sent }: SentCode, decided: Decided): boolean => sent !== null && decided.has(sent.id);

export const isSilent = ({ sent }: SentCode, { silent }: Cleared): boolean => sent !== null && silent.has(sent.id);

function isCleared(payout: Payout, cleared: Cleared): boolean {
  const asked = cleared.no.get(payout.id);
  return asked !== undefined && isAsItWas(payout, asked);
}
