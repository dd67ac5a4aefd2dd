/** Payees, their accounts, and whether they can be paid now. */
import { Module } from '@nestjs/common';
import { MailModule } from '#libs/mail';
import { MethodStore } from './db/method.store';
import { OpeningStore } from './db/opening.store';
import { PayeeSearchReads } from './db/payee-search.reads';
import { PayeeReads } from './db/payee.reads';
import { PayeeStore } from './db/payee.store';
import { RouteReads } from './db/route.reads';
import { RouteStore } from './db/route.store';
import { PayeesController } from './http/payees.controller';
import { TestPayeesController } from './http/test-payees.controller';
import { PayeeRouting } from './payee-routing';
import { AdoptMethod } from './use-cases/adopt-method';
import { PayabilityJob } from './jobs/payability.job';
import { BeginOpening } from './use-cases/begin-opening';
import { BlockPayee } from './use-cases/block-payee';
import { ChangePayee } from './use-cases/change-payee';
import { ChangeRoutes } from './use-cases/change-routes';
import { CoolDown } from './use-cases/cool-down';
import { HearOfAccounts } from './use-cases/hear-of-accounts';
import { LinkAccount } from './use-cases/link-account';
import { LockPayees } from './use-cases/lock-payees';
import { MintOnboardingLink } from './use-cases/mint-onboarding-link';
import { OpenAccount } from './use-cases/open-account';
import { PayeeNews } from './use-cases/payee-news';
import { PayeeTurns } from './use-cases/payee-turns';
import { ReadAccount } from './use-cases/read-account';
import { ReadReadiness } from './use-cases/read-readiness';
import { RefreshPayability } from './use-cases/refresh-payability';
import { ResolveByEmail } from './use-cases/resolve-by-email';
import { ResolvePayees } from './use-cases/resolve-payees';
import { SetTestOnboarding } from './use-cases/set-test-onboarding';
import { UpsertPayee } from './use-cases/upsert-payee';

@Module({
  imports: [MailModule],
  controllers: [PayeesController, TestPayeesController],
  providers: [
    PayeeReads,
    PayeeSearchReads,
    PayeeStore,
    MethodStore,
    OpeningStore,
    RouteReads,
    RouteStore,
    PayeeRouting,
    ChangePayee,
    PayeeNews,
    PayeeTurns,
    LockPayees,
    CoolDown,
    UpsertPayee,
    AdoptMethod,
    LinkAccount,
    BeginOpening,
    OpenAccount,
    MintOnboardingLink,
    HearOfAccounts,
    ReadAccount,
    ReadReadiness,
    ResolveByEmail,
    BlockPayee,
    RefreshPayability,
    ResolvePayees,
    ChangeRoutes,
    PayabilityJob,
    SetTestOnboarding,
  ],
  exports: [
    PayeeReads,
    PayeeSearchReads,
    RouteReads,
    PayeeRouting,
    ChangePayee,
    LockPayees,
    CoolDown,
    UpsertPayee,
    ReadAccount,
    ReadReadiness,
    OpenAccount,
    MintOnboardingLink,
    SetTestOnboarding,
    HearOfAccounts,
    ResolveByEmail,
    BlockPayee,
    ChangeRoutes,
    PayabilityJob,
  ],
})
export class PayeesModule {}
