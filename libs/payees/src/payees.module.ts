/** Who is paid: payees, their accounts, and whether they can be paid now. */
import { Module } from '@nestjs/common';
import { MethodStore } from './db/method.store';
import { PayeeReads } from './db/payee.reads';
import { PayeeStore } from './db/payee.store';
import { RouteStore } from './db/route.store';
import { PayeesController } from './http/payees.controller';
import { TestPayeesController } from './http/test-payees.controller';
import { PayeeRouting } from './payee-routing';
import { AdoptMethod } from './use-cases/adopt-method';
import { ChangePayee } from './use-cases/change-payee';
import { CoolDown } from './use-cases/cool-down';
import { ReadReadiness } from './use-cases/read-readiness';
import { SetTestOnboarding } from './use-cases/set-test-onboarding';
import { UpsertPayee } from './use-cases/upsert-payee';

@Module({
  controllers: [PayeesController, TestPayeesController],
  providers: [
    PayeeReads,
    PayeeStore,
    MethodStore,
    RouteStore,
    PayeeRouting,
    ChangePayee,
    CoolDown,
    UpsertPayee,
    AdoptMethod,
    ReadReadiness,
    SetTestOnboarding,
  ],
  exports: [PayeeReads, PayeeStore, RouteStore, PayeeRouting, ChangePayee, UpsertPayee],
})
export class PayeesModule {}
