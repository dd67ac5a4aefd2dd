/** A client as the rest of the service sees it: its settings, never its keys. */
import type { EventType, Scope, StatusVersion } from '#libs/domain';

export const CLIENT_STATUSES = ['active', 'suspended', 'closed'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

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
  withdrawPolicy: Record<string, unknown>;
  rateLimitPerMinute: number | null;
  requireSignatureV2: boolean;
  coolDownSeconds: number | null;
}

export interface Client extends ClientSettings {
  id: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface ExpiringSecret {
  secret: string;
  expiresAt: Date | null;
}
