/**
 * A rail's answers, made fit to be believed and kept. An answer about money must be possible, or nobody knows what happened; its words may
 * hold anything, even text that PostgreSQL cannot keep, and must never keep an outcome from being written.
 */
import { createHash } from 'node:crypto';
import { setImmediate as othersFirst } from 'node:timers/promises';
import {
  type LookupFact,
  MOVEMENT_DIRECTIONS,
  type NextLeg,
  type RailFee,
  type RailMovement,
  type RailOrder,
  type Settled,
  type Unknown,
} from '#libs/rail-kit';

/** Longer than any reference, reason or link that a provider gives on purpose. */
const WORDS = { most: 4_000, keptOfLonger: 3_900 };
/** Longer than any code of ours; an index has no room for much more. */
const CODE = { most: 255, keptOfLonger: 150 };
/** So many lines of a list are read in a turn of the event loop: a list may come in one piece, however long it is. */
const LINES_IN_A_TURN = 1_000;
const CURRENCY = /^[A-Z]{3}$/;
const LEG = /^[a-z][a-z0-9_]{0,39}$/;
/** Control characters, and halves of a character. */
const ILLEGIBLE = /[\p{Cc}\p{Cs}]/gu;

/** What a provider says it moved must be what it was asked to move. */
export function soundFact<Fact extends LookupFact>(fact: Fact, order: RailOrder): Fact | Unknown {
  if (fact.kind === 'unknown') return withMoney(fact, order);
  const echo = 'echo' in fact ? fact.echo : undefined;
  if (echo && (echo.amountCents !== order.amountCents || echo.currency !== order.currency)) {
    const asked = `${order.amountCents} ${order.currency}`;
    const detail = `the rail speaks of ${echo.amountCents} ${echo.currency}, it was asked for ${asked}`;
    // What is no amount, or no currency, cannot be held against ours.
    const isMoney = isAmount(echo.amountCents) && CURRENCY.test(echo.currency);
    return { kind: 'unknown', detail, ...(isMoney ? { spokeOf: { ...echo, moved: fact.kind === 'settled' } } : {}) };
  }
  if (!isLeg(nextOf(fact))) return { kind: 'unknown', detail: 'the rail asks for a next leg that is none' };
  if (feeRefused(fact)) {
    const { fee: _, ...others } = fact as Settled;
    return others as unknown as Fact;
  }
  if (fact.kind === 'bounced' && !isAmount(fact.feeCents))
    return { kind: 'unknown', detail: `the rail says that the bank kept ${fact.feeCents} cents` };
  return fact;
}

const withMoney = (fact: Unknown, { amountCents, currency }: RailOrder): Unknown =>
  fact.contradicts ? { ...fact, spokeOf: { amountCents, currency, moved: false } } : fact;

/** What its payee begins is a call as any. */
const nextOf = ({ next, begins }: { kind: string; next?: NextLeg; begins?: NextLeg }): NextLeg | undefined =>
  next ?? begins;

/** Or there is none. */
const isLeg = (next: NextLeg | undefined): boolean =>
  !next || (LEG.test(next.leg) && Number.isFinite(next.afterSeconds ?? 0) && (next.afterSeconds ?? 0) >= 0);

/** A fee that cannot be true is none: nothing else that the rail says depends on it. null: there is none, or it may be true. */
export function feeRefused(fact: { kind: string; fee?: RailFee }): RailFee | null {
  const { fee } = fact;
  return fee && !(isAmount(fee.amountCents) && CURRENCY.test(fee.currency)) ? fee : null;
}

/** A list with a line that cannot be true is none. Its words are such that they can be kept. */
export async function soundMovements(movements: RailMovement[]): Promise<RailMovement[]> {
  const read: RailMovement[] = [];
  for (const movement of movements) {
    if (read.length > 0 && read.length % LINES_IN_A_TURN === 0) await othersFirst();
    read.push(soundMovement(movement));
  }
  return read;
}

function soundMovement(movement: RailMovement): RailMovement {
  const { railKey, amountCents, currency, movedAt, direction = 'out' } = movement;
  if (!canBe(movement))
    throw new Error(`the rail lists a movement of ${amountCents} cents at ${String(movedAt)}, direction ${direction}`);
  return legible({ ...movement, railKey: shortened(railKey, CODE), currency: shortened(currency, CODE) });
}

const canBe = ({ amountCents, movedAt, direction = 'out' }: RailMovement): boolean =>
  isAmount(amountCents) && !Number.isNaN(movedAt.getTime()) && MOVEMENT_DIRECTIONS.includes(direction);

/** The same with every text in it legible; a date that is none counts as not told. */
export function legible<T>(said: T): T {
  return legibly(said) as T;
}

function legibly(said: unknown): unknown {
  if (typeof said === 'string') return legibleText(said);
  if (said instanceof Date) return Number.isNaN(said.getTime()) ? null : said;
  if (Array.isArray(said)) return said.map(legibly);
  if (typeof said !== 'object' || said === null) return said;
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [name, legibly(value)]));
}

const legibleText = (text: string): string => shortened(text, WORDS).replace(ILLEGIBLE, '\ufffd');

/** Two long texts that differ stay two. */
function shortened(text: string, { most, keptOfLonger }: typeof WORDS): string {
  if (text.length <= most) return text;
  return `${text.slice(0, keptOfLonger)}…${createHash('sha256').update(text).digest('hex')}`;
}

const isAmount = (cents: number): boolean => Number.isSafeInteger(cents) && cents >= 0;
