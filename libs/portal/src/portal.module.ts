/** The pages that payees see. */
import { Module } from '@nestjs/common';
import { BalancesModule } from '#libs/balances';
import { ClientsModule } from '#libs/clients';
import { DisbursementsModule } from '#libs/disbursements';
import { MailModule } from '#libs/mail';
import { PayeesModule } from '#libs/payees';
import { PayoutsModule } from '#libs/payouts';
import { PageLinkReads } from './db/page-link.reads';
import { PageLinkStore } from './db/page-link.store';
import { PortalAccessReads } from './db/portal-access.reads';
import { PortalAccess } from './db/portal-access.store';
import { OnboardingLinkController } from './http/onboarding-link.controller';
import { OnboardingController } from './http/onboarding.controller';
import { PortalLinkController } from './http/portal-link.controller';
import { PortalController } from './http/portal.controller';
import { ForgetPageLinks } from './jobs/forget-page-links';
import { ContinueOnboarding } from './use-cases/continue-onboarding';
import { ForgetLinks } from './use-cases/forget-links';
import { IssueOnboardingLink } from './use-cases/issue-onboarding-link';
import { LinkRules } from './use-cases/link-rules';
import { ReadWallet } from './use-cases/read-wallet';
import { SendPortalLink } from './use-cases/send-portal-link';
import { SetUpAccount } from './use-cases/set-up-account';
import { VisitOnboarding } from './use-cases/visit-onboarding';
import { VisitPortal } from './use-cases/visit-portal';
import { WithdrawFromPortal } from './use-cases/withdraw-from-portal';

@Module({
  imports: [ClientsModule, PayeesModule, PayoutsModule, DisbursementsModule, BalancesModule, MailModule],
  controllers: [OnboardingLinkController, OnboardingController, PortalLinkController, PortalController],
  providers: [
    PageLinkReads,
    PageLinkStore,
    IssueOnboardingLink,
    VisitOnboarding,
    PortalAccess,
    PortalAccessReads,
    LinkRules,
    SendPortalLink,
    VisitPortal,
    ReadWallet,
    WithdrawFromPortal,
    SetUpAccount,
    ContinueOnboarding,
    ForgetLinks,
    ForgetPageLinks,
  ],
})
export class PortalModule {}
