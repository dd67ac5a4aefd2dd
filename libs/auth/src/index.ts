export { AuthModule } from './auth.module';
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
export { CLOCK, InjectClock } from './clock.provider';
export { CLIENT_RULES, ClientStore, type KeyRow } from './db/client.store';
export { OperatorReads, type OperatorRow } from './db/operator.reads';
export { OperatorStore } from './db/operator.store';
export { Caller } from './http/client-request';
export { Doorkeeper } from './http/doorkeeper';
export { ActingOperator, FIRST_OPERATOR, type Operator } from './http/operator.guard';
export { IssueCredentials } from './use-cases/issue-credentials';
