export { AuthModule } from './auth.module';
export { OperatorReads, type OperatorRow } from './db/operator.reads';
export { Caller } from './http/client-request';
export { Doorkeeper } from './http/doorkeeper';
export { FailedAttempts } from './http/failed-attempts';
export { ActingOperator, FIRST_OPERATOR, type Operator } from './http/operator.guard';
export { MinuteCounts } from './minute-counts';
export { Pace } from './pace';
export { IssueTokens } from './use-cases/issue-tokens';
