/** Words and amounts as letters have them. */
import { minorUnitDigits } from '#libs/domain';

/** What no name has: a link, an address, a sentence's marks. Letters of full width are what they look like. */
const NO_PART_OF_A_NAME = /[^\p{L}\p{M}\p{N}\s'’.,&()+-]/gu;
const LINK = /:\/\/|\bhttps?\b|\bwww\b|[\p{L}\p{N}]\.[\p{L}\p{N}]/iu;
/** Written without capitals in most languages: von, de la, bin. */
const PARTICLE = /^\p{Ll}{1,3}$/u;

const MOST_LETTERS = 60;
const PERSON = { words: 5 };
const BUSINESS = { words: 6 };

/** One line, as it is read: no control or format characters, nothing that turns the writing round. */
const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/**
 * A person's name, or null where it is hardly one: it comes from a caller, goes to whom the caller names, and must not be
 * what the caller wants to say. A letter greets without a name as well.
 */
export function personName(text: string | null): string | null {
  const name = plainText(text ?? '');
  const words = name.split(' ');
  const looksLikeOne =
    /^[\p{L}\p{M} '’.-]+$/u.test(name) &&
    !LINK.test(name) &&
    [...name].length <= MOST_LETTERS &&
    words.length <= PERSON.words &&
    (words.length <= 2 || words.every(isWordOfAName));
  return looksLikeOne && /\p{L}/u.test(name) ? name : null;
}

/** Scripts without capitals have none to show. */
const isWordOfAName = (word: string): boolean => PARTICLE.test(word) || !/^\p{Ll}/u.test(word);

/** A business's name without what no name has, cut where it becomes a text. */
export function businessName(text: string): string {
  const words = plainText(text)
    .split(' ')
    .filter((word) => !/:\/\/|@|^www\./i.test(word))
    .join(' ')
    .replace(NO_PART_OF_A_NAME, ' ')
    .replace(/\.(?=[\p{L}\p{N}])/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, BUSINESS.words);
  while ([...words.join(' ')].length > MOST_LETTERS) words.pop();
  return words.join(' ') || 'Your payer';
}

/** By how many digits a currency has: making one takes as long as writing a hundred letters. */
const formats = new Map<number, Intl.NumberFormat>();

export function amount(cents: number, currency: string): string {
  const digits = minorUnitDigits(currency);
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = formats.get(digits) ?? new Intl.NumberFormat('en', options);
  formats.set(digits, format);
  return `${currency} ${format.format(cents / 10 ** digits)}`;
}
