/**
 * Whether somebody typed a secret instead of rolling dice for it: what repeats an earlier piece, runs on or counts up tells
 * nothing new, and so do the words that people write where a secret belongs. What is left has to be enough.
 */
import { withoutPublished } from './published-secrets';
import { readsAsWords, withoutWords } from './typed-words';
import { isDigestOfWord } from './word-digests';

/** Of rolled tokens of 32 hex digits and of rolled keys one in millions has so few. Longer tokens have more. */
const TOKEN_NEEDS = 20;
const KEY_NEEDS = 40;
/** Of 32 rolled characters, in whichever way they are written, hardly ever all are small letters, or all capitals. */
const ONLY_WORDS = /^(?:[^A-Z0-9]*|[^a-z0-9]*)$/;
/** What was no UTF-8, and what nobody types. */
const NO_TEXT = /[\uFFFD\p{Cc}]/u;
/** Before less than a whole name, those signs are also in one of a hundred passwords that a password manager rolled. */
const NAME = '(?:[A-Z]?[a-z_]{7,}|[A-Z_]{7,})';
/** A sign that a shell, or a store of secrets, was meant to fill in the secret or the result of a command, or a person was. */
const UNEXPANDED = new RegExp(
  [
    String.raw`(?:\$[{(]|#\{)${NAME}`,
    String.raw`^\$\{.*\}$|^\$\(.*\)$|^\$[A-Za-z_]+\d*$|^%[A-Za-z_]+\d*%$|^<[\w -]+>$|^\{\{[ .]?[A-Za-z.]+ ?\}\}`,
    String.raw`^[a-z][\w+.-]+:\/\/|^ENC\[|^arn:|^@Microsoft\.KeyVault\(`,
  ].join('|'),
);

const LEAST_REPEAT = 4;
const LEAST_RUN = 3;
/** `0011` and `a1b2c3` count up as `0123` does. */
const STRIDES = [1, 2, 3, 4, 5, 6, 7, 8];

export const isMadeUpToken = (value: string): boolean =>
  ONLY_WORDS.test(value) ||
  UNEXPANDED.test(value) ||
  readsAsWords(value) ||
  isEncodedText(value) ||
  isDigestOfWord(value) ||
  newsIn(value) < TOKEN_NEEDS;
export const isMadeUpKey = (value: string): boolean =>
  isEncodedText(value) || isDigestOfWord(value) || newsIn(value) < KEY_NEEDS;

/**
 * A sentence in hex or base64, with the end of its line, filled up with zeros, or in UTF-16, where Latin letters have a zero each. Of rolled
 * tokens one in millions reads as text, and of keys none.
 */
function isEncodedText(value: string): boolean {
  const text = value.replace(NAMED_ENCODING, '');
  return ENCODINGS.some(({ written, encoding }) => written.test(text) && isText(Buffer.from(text, encoding)));
}

const NAMED_ENCODING = /^(?:0x|base64:)/i;

const ENCODINGS: { written: RegExp; encoding: BufferEncoding }[] = [
  { written: /^(?:[0-9a-f]{2})+$/i, encoding: 'hex' },
  { written: /^[\w+/-]+={0,2}$/, encoding: 'base64' },
];

const isText = (bytes: Buffer): boolean => !NO_TEXT.test(bytes.toString().replace(/[\0\s]/g, ''));

/** How many of its characters could not be guessed from those before. */
function newsIn(value: string): number {
  const text = withoutWords(withoutPublished(value)).toLowerCase();
  const places = [...text].map(placeOf);
  let news = 0;
  for (let at = 0; at < text.length;) {
    const known = Math.max(repeatAt(text, at), ...STRIDES.map((stride) => runAt(places, at, stride)));
    if (known === 0) news += 1;
    at += known || 1;
  }
  return news;
}

/** So that a follows 9. */
function placeOf(character: string): number {
  const place = parseInt(character, 36);
  return Number.isNaN(place) ? character.charCodeAt(0) + 36 : place;
}

function repeatAt(text: string, at: number): number {
  let length = LEAST_REPEAT;
  while (at + length <= text.length && text.slice(0, at + length - 1).includes(text.slice(at, at + length)))
    length += 1;
  return length > LEAST_REPEAT ? length - 1 : 0;
}

/** How far it goes on from here in the steps in which it came. */
function runAt(places: number[], at: number, stride: number): number {
  const placeAt = (index: number): number => places[index] ?? NaN;
  let length = 0;
  for (let index = at; step(index) === step(index - stride); index += 1) length += 1;
  return length >= LEAST_RUN ? length : 0;

  function step(index: number): number {
    return placeAt(index) - placeAt(index - stride);
  }
}
