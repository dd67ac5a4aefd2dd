export const SCOPES = [
  'payouts:write',
  'payouts:read',
  'payees:write',
  'payees:read',
  'onboarding:write',
  'portal:write',
  'disbursements:write',
  'disbursements:read',
  'webhooks:write',
  'keys:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** These scopes decide who is told and who gets in, so a key has them only if somebody asked for them. */
const NEVER_BY_DEFAULT: readonly Scope[] = ['webhooks:write', 'keys:write'];
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !NEVER_BY_DEFAULT.includes(scope));

/** A key that may push owed rows may also read them. */
export function holdsScope(held: readonly Scope[], wanted: Scope): boolean {
  return held.includes(wanted) || (wanted === 'disbursements:read' && held.includes('disbursements:write'));
}

export const EVENT_TYPES = ['payee.updated', 'payout.status'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
