/** The ledger of what is owed: pushed, withdrawn, recovered, and what it comes to. */
import { Module } from '@nestjs/common';
import { BalancesModule } from '#libs/balances';
import { ClaimLinksModule } from '#libs/claim-links';
import { DriftModule } from '#libs/drift';
import { MailModule } from '#libs/mail';
import { OwedModule } from '#libs/owed';
import { PayeesModule } from '#libs/payees';
import { PayoutsModule } from '#libs/payouts';
import { ReconciliationModule } from '#libs/reconciliation';
import { WalletsModule } from '#libs/wallets';
import { DisbursementsController } from './http/disbursements.controller';
import { OwedPayeesController } from './http/owed-payees.controller';
import { RecoverOwed } from './jobs/recover-owed';
import { ReleaseJob } from './jobs/release.job';
import { FollowCredit } from './use-cases/follow-credit';
import { ForeseeWithdrawal } from './use-cases/foresee-withdrawal';
import { FreeDisputed } from './use-cases/free-disputed';
import { LandDisputed } from './use-cases/land-disputed';
import { LinkRecovery } from './use-cases/link-recovery';
import { MailWaitingMoney } from './use-cases/mail-waiting-money';
import { PushDisbursements } from './use-cases/push-disbursements';
import { PushTargets } from './use-cases/push-targets';
import { ReadBalance } from './use-cases/read-balance';
import { ReleaseByItself } from './use-cases/release-by-itself';
import { ReleaseOwed } from './use-cases/release-owed';
import { SettleDirect } from './use-cases/settle-direct';
import { SettleDisputed } from './use-cases/settle-disputed';
import { WakeWaiting } from './use-cases/wake-waiting';
import { WithdrawGates } from './use-cases/withdraw-gates';

@Module({
  imports: [
    PayeesModule,
    PayoutsModule,
    OwedModule,
    DriftModule,
    ReconciliationModule,
    WalletsModule,
    BalancesModule,
    MailModule,
    ClaimLinksModule,
  ],
  controllers: [DisbursementsController, OwedPayeesController],
  providers: [
    PushDisbursements,
    PushTargets,
    FollowCredit,
    MailWaitingMoney,
    WithdrawGates,
    ReleaseOwed,
    ForeseeWithdrawal,
    ReleaseByItself,
    WakeWaiting,
    ReleaseJob,
    RecoverOwed,
    FreeDisputed,
    LandDisputed,
    LinkRecovery,
    ReadBalance,
    SettleDirect,
    SettleDisputed,
  ],
  exports: [ReleaseOwed, ForeseeWithdrawal, SettleDisputed],
})
export class DisbursementsModule {}
