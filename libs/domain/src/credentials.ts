/**
 * How API keys, operator tokens and signing secrets look. Each carries 256 random bits, a prefix that tells a person
 * (and a secret scanner) what it is, and a checksum that lets a mistyped key be refused without asking the database.
 */
import { createHash, randomBytes } from 'node:crypto';
import { SECRET_PREFIX } from './standard-webhook';

export type TokenKind = 'gw_live' | 'gw_test' | 'gw_op';

const TOKEN = /^(gw_live|gw_test|gw_op)_([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/;

export function newToken(kind: TokenKind): string {
  const random = randomBytes(32).toString('base64url');
  return `${kind}_${random}${checksum(kind, random)}`;
}

export function isWellFormedToken(text: string): boolean {
  const [, kind, random, sum] = TOKEN.exec(text) ?? [];
  return kind !== undefined && random !== undefined && checksum(kind, random) === sum;
}

export const newSigningSecret = (): string => SECRET_PREFIX + randomBytes(32).toString('base64');

/** Enough to tell one key from another in a list, far too little to guess it. */
export const tokenHint = (token: string): string => `${token.slice(0, 12)}…`;

export const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

function checksum(kind: string, random: string): string {
  return createHash('sha256').update(`${kind}_${random}`).digest('base64url').slice(0, 6);
}
