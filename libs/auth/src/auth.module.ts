/** Who may ask, and what for: the guard chain, the clients and their credentials. */
import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { systemClock } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { ClientRegistry } from './client-registry';
import { CLOCK } from './clock.provider';
import { AdmissionStore } from './db/admission.store';
import { ClientStore } from './db/client.store';
import { OperatorReads } from './db/operator.reads';
import { OperatorStore } from './db/operator.store';
import { AccessGuard } from './http/access.guard';
import { ClientGuard } from './http/client.guard';
import { Doorkeeper } from './http/doorkeeper';
import { FailedAttempts } from './http/failed-attempts';
import { OperatorGuard } from './http/operator.guard';
import { ForgetUsedSignatures } from './jobs/forget-used-signatures';
import { SecretBox } from './secret-box';
import { AdmitRequest } from './use-cases/admit-request';
import { IssueCredentials } from './use-cases/issue-credentials';

@Global()
@Module({
  providers: [
    { provide: CLOCK, useValue: systemClock },
    { provide: SecretBox, inject: [CONFIG], useFactory: (config: Config) => new SecretBox(config.masterKeys) },
    { provide: APP_GUARD, useClass: AccessGuard },
    ClientStore,
    OperatorReads,
    OperatorStore,
    AdmissionStore,
    AdmitRequest,
    ClientRegistry,
    ClientGuard,
    OperatorGuard,
    Doorkeeper,
    FailedAttempts,
    IssueCredentials,
    ForgetUsedSignatures,
  ],
  exports: [CLOCK, ClientStore, OperatorReads, OperatorStore, ClientRegistry, Doorkeeper, IssueCredentials],
})
export class AuthModule {}
