/** The pages that payees see. */
import { Module } from '@nestjs/common';
import { ClientsModule } from '#libs/clients';
import { PayeesModule } from '#libs/payees';
import { PageLinkReads } from './db/page-link.reads';
import { PageLinkStore } from './db/page-link.store';
import { OnboardingLinkController } from './http/onboarding-link.controller';
import { OnboardingController } from './http/onboarding.controller';
import { PageDoor } from './http/page-door';
import { ForgetPageLinks } from './jobs/forget-page-links';
import { ContinueOnboarding } from './use-cases/continue-onboarding';
import { FindPageLink } from './use-cases/find-page-link';
import { ForgetLinks } from './use-cases/forget-links';
import { IssueOnboardingLink } from './use-cases/issue-onboarding-link';
import { PageQuestions } from './use-cases/page-questions';
import { TakeClick } from './use-cases/take-click';
import { VisitOnboarding } from './use-cases/visit-onboarding';

@Module({
  imports: [ClientsModule, PayeesModule],
  controllers: [OnboardingLinkController, OnboardingController],
  providers: [
    PageLinkReads,
    PageLinkStore,
    PageDoor,
    FindPageLink,
    PageQuestions,
    TakeClick,
    IssueOnboardingLink,
    VisitOnboarding,
    ContinueOnboarding,
    ForgetLinks,
    ForgetPageLinks,
  ],
})
export class PortalModule {}
