/**
 * What a rail says, made fit to be believed and kept. What it says of money must be possible, or nobody knows what happened;
 * its words may hold anything, also what PostgreSQL cannot keep, and must never keep an outcome from being written.
 */
import { createHash } from 'node:crypto';
import type { LookupFact, RailMovement, RailOrder, Unknown } from '#libs/rail-kit';

/** Longer than any reference, reason or link that a provider gives on purpose. */
const WORDS = { most: 4_000, keptOfLonger: 3_900 };
/** Longer than any code of ours; an index has no room for much more. */
const CODE = { most: 255, keptOfLonger: 150 };
const CURRENCY = /^[A-Z]{3}$/;
/** Control characters, and halves of a character. */
const ILLEGIBLE = /[\p{Cc}\p{Cs}]/gu;

/** What a provider says it moved must be what it was asked to move. */
export function soundFact<Fact extends LookupFact>(fact: Fact, order: RailOrder): Fact | Unknown {
  const echo = 'echo' in fact ? fact.echo : undefined;
  if (echo && (echo.amountCents !== order.amountCents || echo.currency !== order.currency)) {
    const asked = `${order.amountCents} ${order.currency}`;
    const detail = `the rail speaks of ${echo.amountCents} ${echo.currency}, it was asked for ${asked}`;
    // What is no amount, or no currency, cannot be held against ours.
    const isMoney = isAmount(echo.amountCents) && CURRENCY.test(echo.currency);
    return { kind: 'unknown', detail, ...(isMoney ? { spokeOf: { ...echo, moved: fact.kind === 'settled' } } : {}) };
  }
  if (fact.kind === 'bounced' && !isAmount(fact.feeCents))
    return { kind: 'unknown', detail: `the rail says that the bank kept ${fact.feeCents} cents` };
  return fact;
}

/** A list with a line that cannot be true is none. */
export function soundMovements(movements: RailMovement[]): RailMovement[] {
  const wrong = movements.find(({ amountCents, movedAt }) => !isAmount(amountCents) || Number.isNaN(movedAt.getTime()));
  if (wrong) throw new Error(`the rail lists a movement of ${wrong.amountCents} cents at ${String(wrong.movedAt)}`);
  return movements.map((movement) => ({
    ...movement,
    railKey: shortened(movement.railKey, CODE),
    currency: shortened(movement.currency, CODE),
  }));
}

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
