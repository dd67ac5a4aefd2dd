/** Names of businesses as letters have them. */
import { LETTER } from './writing';

/** Anything that no name has: a link, an address, punctuation of sentences. Full-width letters count as the letters they look like. */
const NO_PART_OF_A_NAME = new RegExp(`(?!${LETTER})[^\\p{N}\\s'’.,&()+-]`, 'gu');

const MOST_LETTERS = 60;
const BUSINESS = { words: 6 };

/** One line, as it is read: no control or format characters, nothing that turns the writing round. */
export const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** A business's name without what no name has, cut where it becomes a text. */
export function businessName(text: string): string {
  const words = plainText(text)
    .split(' ')
    .filter((word) => !/:\/\/|@|^www\./i.test(word))
    .join(' ')
    .replace(NO_PART_OF_A_NAME, ' ')
    .replace(/\.(?=\p{M}*[\p{L}\p{N}])/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, BUSINESS.words);
  while ([...words.join(' ')].length > MOST_LETTERS) words.pop();
  return words.join(' ') || 'Your payer';
}
