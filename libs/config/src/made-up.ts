/**
 * Whether somebody typed a secret instead of rolling dice for it: what repeats an earlier piece, runs on or counts up tells
 * nothing new, and so do the words that people write where a secret belongs. What is left has to be enough.
 */
import { createHash } from 'node:crypto';

const WORDS =
  /change|password|passwort|secret|operator|token|admin|master|example|default|production|payout|gateway|key|qwert(?:yuiop)?|asdfg(?:hjkl)?|zxcvb(?:nm)?|qaz|wsx|edc|rfv|tgb|yhn|ujm/g;
/** Of rolled tokens of 32 hex digits and of rolled keys one in millions has so few. Longer tokens have more. */
const TOKEN_NEEDS = 20;
const KEY_NEEDS = 40;
/** Of 32 rolled characters, in whichever way they are written, hardly ever all are small letters, or all capitals. */
const ONLY_WORDS = /^(?:[^A-Z0-9]*|[^a-z0-9]*)$/;
/** What was no UTF-8, and what nobody types. */
const NO_TEXT = /[\uFFFD\p{Cc}]/u;
/** A sign that a shell, or a store of secrets, was meant to fill in the secret or the result of a command. */
const UNEXPANDED = /\$[{(]|^\$\w+$|^ENC\[|:\/\/|^arn:|^@Microsoft\.KeyVault\(/;

const LEAST_REPEAT = 4;
const LEAST_RUN = 3;
/** `0011` and `a1b2c3` count up as `0123` does. */
const STRIDES = [1, 2, 3, 4, 5, 6, 7, 8];

/** What people take the digest of when they want something that looks rolled; nothing is what a variable holds that was not set. */
const COMMON = [
  '',
  ...'x test admin operator token key master secret password passwort changeme change-me example default'.split(' '),
  ...'production payout payouts gateway payout-gateway 1234 123456 12345678 qwerty letmein hello'.split(' '),
];
/** MD5 of nothing with and without the end of a line: not every Node has it. */
const MD5_OF_NOTHING = ['d41d8cd98f00b204e9800998ecf8427e', '68b329da9893e34099c7d8ad5cb9c940'];

/** As of `echo "$SECRET" | sha256sum`: everybody can make the same. */
const WELL_KNOWN_DIGESTS = new Set(
  COMMON.flatMap((word) => [word, `${word}\n`])
    .flatMap((text) =>
      ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'].flatMap((name) =>
        (['hex', 'base64', 'base64url'] as const).map((encoding) =>
          createHash(name).update(text).digest(encoding).toLowerCase(),
        ),
      ),
    )
    .concat(MD5_OF_NOTHING),
);

export const isMadeUpToken = (value: string): boolean =>
  ONLY_WORDS.test(value) || UNEXPANDED.test(value) || isWellKnown(value) || newsIn(value) < TOKEN_NEEDS;
export const isMadeUpKey = (value: string): boolean =>
  isTextInHex(value) || isWellKnown(value) || newsIn(value) < KEY_NEEDS;

/** A sentence that was written in hex, with the end of its line, or filled up with zeros. Of rolled keys none in a billion reads as text. */
const isTextInHex = (value: string): boolean =>
  !NO_TEXT.test(Buffer.from(value, 'hex').toString().replace(/\0+$/, '').replace(/\s/g, ''));

const isWellKnown = (value: string): boolean => WELL_KNOWN_DIGESTS.has(value.toLowerCase());

/** How many of its characters could not be guessed from those before. */
function newsIn(value: string): number {
  const text = value.toLowerCase().replace(WORDS, '');
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
