export const SCOPES = [
  'payouts:write',
  'payouts:read',
  'payees:write',
  'payees:read',
  'onboarding:write',
  'portal:write',
  'disbursements:write',
  'disbursements:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Whoever may push owed rows may read them. */
export function holdsScope(held: readonly Scope[], wanted: Scope): boolean {
  return held.includes(wanted) || (wanted === 'disbursements:read' && held.includes('disbursements:write'));
}

export const EVENT_TYPES = ['payee.updated', 'payout.status'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
