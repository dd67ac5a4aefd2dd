// What a client may be let do, and the words for several at once.
import { words } from './flags.mjs';
import { UsageError } from './usage-error.mjs';

/** Whoever holds one of these can change who is told, or who gets in: only who asks for them has them. */
const ASKED_FOR = ['webhooks:write', 'keys:write'];
const DEFAULT = [
  'payouts:write',
  'payouts:read',
  'payees:write',
  'payees:read',
  'onboarding:write',
  'portal:write',
  'disbursements:write',
  'disbursements:read',
];
export const SCOPE_WORDS = { default: DEFAULT, all: [...DEFAULT, ...ASKED_FOR] };

/** A misspelt one is told with all that there are. */
export function scopesIn(given) {
  const scopes = words(given).flatMap((word) => (Object.hasOwn(SCOPE_WORDS, word) ? SCOPE_WORDS[word] : [word]));
  const unknown = scopes.find((scope) => !SCOPE_WORDS.all.includes(scope));
  if (unknown === undefined) return [...new Set(scopes)];
  const lines = [`default: ${DEFAULT.join(', ')}`, `all: those, ${ASKED_FOR.join(', ')}`];
  throw new UsageError(`There is no scope '${unknown}'. There are:${lines.map((line) => `\n  ${line}`).join('')}\n `);
}
