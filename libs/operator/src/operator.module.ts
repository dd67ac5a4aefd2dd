/** The operators' surface. */
import { Module } from '@nestjs/common';
import { BalancesModule } from '#libs/balances';
import { DisbursementsModule } from '#libs/disbursements';
import { DriftModule } from '#libs/drift';
import { MailModule } from '#libs/mail';
import { PayeesModule } from '#libs/payees';
import { PayoutsModule } from '#libs/payouts';
import { ReconciliationModule } from '#libs/reconciliation';
import { TestClockModule } from '#libs/test-clock';
import { WalletsModule } from '#libs/wallets';
import { WebhooksModule } from '#libs/webhooks';
import { AuditReads } from './db/audit.reads';
import { AuditStore } from './db/audit.store';
import { HeldListReads } from './db/held-list.reads';
import { StandingReads } from './db/standing.reads';
import { ClientResetController } from './http/client-reset.controller';
import { ClientsController } from './http/clients.controller';
import { OperatorHeldController } from './http/held.controller';
import { OperatorJobsController } from './http/jobs.controller';
import { OperatorEventsController } from './http/events.controller';
import { OwnSettingsController } from './http/own-settings.controller';
import { OperatorsController } from './http/operators.controller';
import { OperatorMailsController } from './http/mails.controller';
import { OperatorPayeesController } from './http/payees.controller';
import { OperatorPayoutsController } from './http/payouts.controller';
import { OperatorRailsController } from './http/rails.controller';
import { OperatorWalletsController } from './http/wallets.controller';
import { OperatorWorkController } from './http/work.controller';
import { StandingMetrics } from './standing-metrics';
import { ChangeClient } from './use-cases/change-client';
import { FundWallets } from './use-cases/fund-wallets';
import { LookAtPayout } from './use-cases/look-at-payout';
import { NameOperators } from './use-cases/name-operators';
import { RewrapSecrets } from './use-cases/rewrap-secrets';
import { OperateDrift } from './use-cases/operate-drift';
import { OperateEvents } from './use-cases/operate-events';
import { OperatePayouts } from './use-cases/operate-payouts';
import { OperateRails } from './use-cases/operate-rails';
import { OperateRouting } from './use-cases/operate-routing';
import { OwnKeys } from './use-cases/own-keys';
import { PeriodicWork } from './use-cases/periodic-work';
import { ProvisionClients } from './use-cases/provision-clients';
import { RailDeeds } from './use-cases/rail-deeds';
import { RecordDeeds } from './use-cases/record-deeds';
import { ReleaseMany } from './use-cases/release-many';
import { ResetClient } from './use-cases/reset-client';
import { RunJobs } from './use-cases/run-jobs';

@Module({
  imports: [
    BalancesModule,
    DisbursementsModule,
    PayeesModule,
    PayoutsModule,
    DriftModule,
    ReconciliationModule,
    TestClockModule,
    WalletsModule,
    WebhooksModule,
    MailModule,
  ],
  controllers: [
    ClientsController,
    ClientResetController,
    OperatorsController,
    OperatorPayoutsController,
    OperatorHeldController,
    OperatorJobsController,
    OperatorPayeesController,
    OwnSettingsController,
    OperatorWalletsController,
    OperatorRailsController,
    OperatorWorkController,
    OperatorEventsController,
    OperatorMailsController,
  ],
  providers: [
    AuditReads,
    AuditStore,
    RecordDeeds,
    OperateDrift,
    NameOperators,
    RewrapSecrets,
    ProvisionClients,
    OwnKeys,
    ChangeClient,
    ResetClient,
    OperatePayouts,
    LookAtPayout,
    HeldListReads,
    StandingReads,
    StandingMetrics,
    ReleaseMany,
    OperateEvents,
    OperateRails,
    RailDeeds,
    OperateRouting,
    FundWallets,
    PeriodicWork,
    RunJobs,
  ],
  exports: [ProvisionClients],
})
export class OperatorModule {}
