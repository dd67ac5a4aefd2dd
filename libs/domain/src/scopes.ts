export const SCOPES = [
  'payouts:write',
  'payouts:read',
  'payees:write',
  'payees:read',
  'onboarding:write',
  'portal:write',
  'disbursements:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export const EVENT_TYPES = ['payee.updated', 'payout.status'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
