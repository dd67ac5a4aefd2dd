/** The pages that payees see. */
import { Module } from '@nestjs/common';
import { BalancesModule } from '#libs/balances';
import { ClaimLinksModule } from '#libs/claim-links';
import { ClientsModule } from '#libs/clients';
import { DisbursementsModule } from '#libs/disbursements';
import { MailModule } from '#libs/mail';
import { PayeesModule } from '#libs/payees';
import { PayoutsModule } from '#libs/payouts';
import { TestPayoutsModule } from '#libs/test-payouts';
import { PageLinkReads } from './db/page-link.reads';
import { PageLinkStore } from './db/page-link.store';
import { PortalAccessReads } from './db/portal-access.reads';
import { PortalAccess } from './db/portal-access.store';
import { CheckGate } from './http/check-gate';
import { ClaimController } from './http/claim.controller';
import { DesignController } from './http/design.controller';
import { OnboardingLinkController } from './http/onboarding-link.controller';
import { OnboardingController } from './http/onboarding.controller';
import { OwnPayment } from './http/own-payment';
import { PageDoor } from './http/page-door';
import { PortalChecksController } from './http/portal-checks.controller';
import { PortalOpenController } from './http/portal-open.controller';
import { PortalPaymentsController } from './http/portal-payments.controller';
import { PortalTakeController } from './http/portal-take.controller';
import { TakeOffer } from './http/take-offer';
import { PortalController } from './http/portal.controller';
import { PortalLinkController } from './http/portal-link.controller';
import { RestoredTabController } from './http/restored-tab.controller';
import { WalletDoor } from './http/wallet-door';
import { WalletLinkController } from './http/wallet-link.controller';
import { ForgetPageLinks } from './jobs/forget-page-links';
import { MailAboutPayoutJob } from './jobs/mail-about-payout.job';
import { ChooseDestination } from './use-cases/choose-destination';
import { ContinueOnboarding } from './use-cases/continue-onboarding';
import { FindPageLink } from './use-cases/find-page-link';
import { ForgetLinks } from './use-cases/forget-links';
import { GoToCheck } from './use-cases/go-to-check';
import { IssueOnboardingLink } from './use-cases/issue-onboarding-link';
import { LeadPayee } from './use-cases/lead-payee';
import { LeaveWallet } from './use-cases/leave-wallet';
import { LinkRules } from './use-cases/link-rules';
import { MailAboutPayout } from './use-cases/mail-about-payout';
import { OpenWallet } from './use-cases/open-wallet';
import { PageChecks } from './use-cases/page-checks';
import { PageQuestions } from './use-cases/page-questions';
import { PageReadiness } from './use-cases/page-readiness';
import { PageWithdrawals } from './use-cases/page-withdrawals';
import { MoneyBack } from './use-cases/money-back';
import { ReadPayments } from './use-cases/read-payments';
import { ReadWallet } from './use-cases/read-wallet';
import { SendPortalLink } from './use-cases/send-portal-link';
import { SetUpAccount } from './use-cases/set-up-account';
import { TakeClick } from './use-cases/take-click';
import { VisitClaim } from './use-cases/visit-claim';
import { VisitOnboarding } from './use-cases/visit-onboarding';
import { VisitPortal } from './use-cases/visit-portal';
import { WithdrawFromPortal } from './use-cases/withdraw-from-portal';

@Module({
  imports: [
    ClientsModule,
    PayeesModule,
    PayoutsModule,
    TestPayoutsModule,
    DisbursementsModule,
    BalancesModule,
    MailModule,
    ClaimLinksModule,
  ],
  controllers: [
    OnboardingLinkController,
    OnboardingController,
    PortalLinkController,
    PortalOpenController,
    PortalController,
    PortalPaymentsController,
    PortalTakeController,
    PortalChecksController,
    ClaimController,
    WalletLinkController,
    RestoredTabController,
    DesignController,
  ],
  providers: [
    PageLinkReads,
    PageLinkStore,
    PageDoor,
    WalletDoor,
    OwnPayment,
    CheckGate,
    TakeOffer,
    GoToCheck,
    FindPageLink,
    PageQuestions,
    PageReadiness,
    PageChecks,
    PageWithdrawals,
    TakeClick,
    IssueOnboardingLink,
    VisitOnboarding,
    PortalAccess,
    PortalAccessReads,
    LinkRules,
    SendPortalLink,
    LeaveWallet,
    VisitPortal,
    OpenWallet,
    VisitClaim,
    ChooseDestination,
    LeadPayee,
    MailAboutPayout,
    MailAboutPayoutJob,
    MoneyBack,
    ReadPayments,
    ReadWallet,
    WithdrawFromPortal,
    SetUpAccount,
    ContinueOnboarding,
    ForgetLinks,
    ForgetPageLinks,
  ],
})
export class PortalModule {}
