export { type Brand, isBrandColor } from './brand';
export {
  type Client,
  CLIENT_STATUSES,
  type ClientRules,
  type ClientSettings,
  type ClientStatus,
  type ExpiringSecret,
  type WithdrawLimits,
  type WithdrawPolicy,
} from './client';
export { ClientRegistry, type KnownClient } from './client-registry';
export { ClientsModule } from './clients.module';
export { CLIENT_RULES, ClientReads, ENDED_KEYS_LISTED, type KeyRow } from './db/client.reads';
export { LookUps } from './look-ups';
export { IssueCredentials } from './use-cases/issue-credentials';
export { KeepClients, type NewClient } from './use-cases/keep-clients';
