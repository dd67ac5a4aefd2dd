/** A client as the rest of the service sees it: its settings, never its keys. */
import type { AutoReleased, EventType, Scope, StatusVersion } from '#libs/domain';
import type { Brand } from './brand';

export const CLIENT_STATUSES = ['active', 'suspended', 'closed'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** How much a client lets its payees withdraw; a limit that is left out does not apply. */
export interface WithdrawLimits {
  enabled?: boolean;
  minCents?: number;
  maxCents?: number;
  minIntervalSeconds?: number;
}

export interface WithdrawPolicy extends WithdrawLimits {
  /** A source's own values win. */
  perSource?: Partial<Record<'withdraw' | 'portal', WithdrawLimits>>;
}

export interface ClientSettings {
  name: string;
  status: ClientStatus;
  testMode: boolean;
  statusVersion: StatusVersion;
  scopes: Scope[];
  webhookUrl: string | null;
  eventTypes: EventType[];
  railAllowList: string[] | null;
  prepaid: boolean;
  defaultCurrency: string;
  caps: { singleCents?: number; dailyCents?: number };
  floors: Record<string, number>;
  withdrawPolicy: WithdrawPolicy;
  rateLimitPerMinute: number | null;
  requireSignatureV2: boolean;
  coolDownSeconds: number | null;
  /** In which its payees are spoken to, if neither they nor their browser say; BCP 47. */
  locale: string | null;
  brand: Brand;
  /** Reasons for which its payouts are held until their cause is gone, and no longer. */
  autoRelease: AutoReleased[];
  /** Its payees are checked by their rail before money that waits for them goes on. */
  checksPayees: boolean;
  /** Mails to its payees that it can do without; what is left out is sent. */
  mails: { payoutReturned?: boolean; payoutNeedsYou?: boolean };
}

/** The settings that decide about its payouts, and may change at any time. */
export type ClientRules = Pick<
  ClientSettings,
  | 'name'
  | 'status'
  | 'railAllowList'
  | 'prepaid'
  | 'caps'
  | 'floors'
  | 'withdrawPolicy'
  | 'coolDownSeconds'
  | 'autoRelease'
  | 'checksPayees'
>;

export interface Client extends ClientSettings {
  id: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface ExpiringSecret {
  secret: string;
  expiresAt: Date | null;
}
