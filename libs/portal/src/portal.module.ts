/** The pages that payees see. */
import { Module } from '@nestjs/common';
import { ClientsModule } from '#libs/clients';
import { PayeesModule } from '#libs/payees';
import { PageLinkReads } from './db/page-link.reads';
import { PageLinkStore } from './db/page-link.store';
import { OnboardingLinkController } from './http/onboarding-link.controller';
import { OnboardingController } from './http/onboarding.controller';
import { ForgetPageLinks } from './jobs/forget-page-links';
import { ContinueOnboarding } from './use-cases/continue-onboarding';
import { ForgetLinks } from './use-cases/forget-links';
import { IssueOnboardingLink } from './use-cases/issue-onboarding-link';
import { VisitOnboarding } from './use-cases/visit-onboarding';

@Module({
  imports: [ClientsModule, PayeesModule],
  controllers: [OnboardingLinkController, OnboardingController],
  providers: [
    PageLinkReads,
    PageLinkStore,
    IssueOnboardingLink,
    VisitOnboarding,
    ContinueOnboarding,
    ForgetLinks,
    ForgetPageLinks,
  ],
})
export class PortalModule {}
