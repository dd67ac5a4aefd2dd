/** Digests of common words, as of `echo "$SECRET" | sha256sum`: everybody can make the same. */
import { createHash } from 'node:crypto';

/** What people take the digest of when they want something that looks rolled; several words are joined in every way. */
const WORDS = `
  x a abc dev prod live test testing staging local demo foo bar foobar admin root user operator token key api-key apikey
  master master-key masterkey encryption-key secret secret-key secretkey my-secret mysecret supersecret operator-token
  admin-token secret-token password passwort password1 password123 pass changeme change-me example default development
  production payout payouts payment payments gateway payout-gateway 0 1 123 1234 12345 123456 1234567 12345678 123456789
  1234567890 qwerty letmein welcome hello world hello-world random string seed salt foo-bar`;
const ALGORITHMS = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
const ENCODINGS = ['hex', 'base64', 'base64url'] as const;
/** MD5 of nothing with and without the end of a line: not every Node has it. */
const MD5_OF_NOTHING = ['d41d8cd98f00b204e9800998ecf8427e', '68b329da9893e34099c7d8ad5cb9c940'];

/** Made when production asks for them: every other start would wait for nothing. */
let digests: Set<string> | undefined;

export function isDigestOfWord(value: string): boolean {
  digests ??= new Set([...texts().flatMap(digestsOf), ...MD5_OF_NOTHING]);
  return digests.has(asCompared(value));
}

/** Nothing is what a variable holds that was not set. */
const texts = (): string[] =>
  ['', ...WORDS.trim().split(/\s+/).flatMap(spellingsOf)].flatMap((text) => [text, `${text}\n`]);

function spellingsOf(word: string): string[] {
  const cases = [word, word.replace(/^[a-z]/, capital), word.replace(/\b[a-z]/g, capital), word.toUpperCase()];
  return [...new Set(cases.flatMap((text) => ['-', '_', ' ', ''].map((sign) => text.replaceAll('-', sign))))];
}

function capital(letter: string): string {
  return letter.toUpperCase();
}

function digestsOf(text: string): string[] {
  const made = ALGORITHMS.map((name) => createHash(name).update(text).digest());
  return made.flatMap((digest) => ENCODINGS.map((encoding) => asCompared(digest.toString(encoding))));
}

function asCompared(digest: string): string {
  return digest.toLowerCase().replace(/=+$/, '');
}
