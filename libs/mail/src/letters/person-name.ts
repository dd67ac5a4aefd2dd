/**
 * The name by which a letter greets. It comes from a caller, goes to whom the caller names under our sender, and must not be
 * what the caller wants to say: what is longer than most names, or could be read as a message, is left out.
 */
import { plainText } from './words';
import { isOfOneWriting } from './writing';

const LINK = /:\/\/|\bhttps?\b|\bwww\b|[\p{L}\p{N}]\p{M}*\.\p{M}*[\p{L}\p{N}]/iu;

/** Parts of a name that are no names themselves: they say nothing, and are not counted. */
const LITTLE =
  /^(?:\p{L}\.?|[JS]r\.?|I{2,3}|IV|von|van|vander|de[rnls]?|del+a|d[aiou]|do?s|das|l[aeo]|las|los|[ae]l|bint?|ben|ibn|te[rn]|zu[mr]?|a[fvp]|na|st\.?|san|y)$/u;
const MOST_LITTLE = 3;
const MOST_PARTS = 3;
const MOST_LETTERS = 30;
const MOST_IN_A_PART = 24;

/** Writing without spaces and capitals says a sentence in four letters: nobody can tell that from a name. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** null if it is hardly a name: a letter greets without one as well. */
export function personName(text: string | null): string | null {
  const name = plainText(text ?? '');
  const parts = name.split(/[ -]+/).filter((part) => part !== '');
  const names = parts.filter((part) => !LITTLE.test(part));
  const looksLikeOne =
    !LINK.test(name) &&
    !DENSE.test(name) &&
    parts.every(isOfOneWriting) &&
    isShort(name) &&
    parts.length - names.length <= MOST_LITTLE &&
    names.length <= MOST_PARTS &&
    names.every((part) => isPart(part, names.length));
  return looksLikeOne && /\p{L}/u.test(name) ? name : null;
}

const isShort = (name: string): boolean => lettersOf(name) <= MOST_LETTERS && [...name].length <= 2 * MOST_LETTERS;

/** No shouting; and if there are many, each begins as a name does. Scripts without capitals have none to show. */
function isPart(part: string, among: number): boolean {
  const letters = lettersOf(part);
  const isShouted = letters > 3 && part === part.toUpperCase() && part !== part.toLowerCase();
  const isSmall = /^\p{Ll}/u.test(part);
  return letters <= MOST_IN_A_PART && !isShouted && !(isSmall && among > 2) && !ODD.test(part);
}

/** Two apostrophes, a dot in front, or more than one capital inside, where words are run together: McDonald has one. */
const ODD = /['’].*['’]|^\.|\p{Ll}\p{Lu}.*\p{Ll}\p{Lu}/u;

const lettersOf = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;
