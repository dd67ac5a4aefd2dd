/** Who may ask for what: the chain of checks that every request passes. */
import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AdmissionStore } from './db/admission.store';
import { OperatorReads } from './db/operator.reads';
import { OperatorStore } from './db/operator.store';
import { AccessGuard } from './http/access.guard';
import { ClientGuard } from './http/client.guard';
import { Doorkeeper } from './http/doorkeeper';
import { FailedAttempts } from './http/failed-attempts';
import { OperatorGuard } from './http/operator.guard';
import { ForgetUsedSignatures } from './jobs/forget-used-signatures';
import { AdmitRequest } from './use-cases/admit-request';
import { IssueTokens } from './use-cases/issue-tokens';

@Global()
@Module({
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    OperatorReads,
    OperatorStore,
    AdmissionStore,
    AdmitRequest,
    ClientGuard,
    OperatorGuard,
    Doorkeeper,
    FailedAttempts,
    IssueTokens,
    ForgetUsedSignatures,
  ],
  exports: [OperatorReads, Doorkeeper, FailedAttempts, IssueTokens],
})
export class AuthModule {}
