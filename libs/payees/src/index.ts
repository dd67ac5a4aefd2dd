export { MethodStore } from './db/method.store';
export { PayeeStore } from './db/payee.store';
export { type RouteRow, RouteStore, type RoutingTable } from './db/route.store';
export type { Method, Payee } from './payee';
export { type PayeeFacts, PayeeRouting } from './payee-routing';
export { PayeesModule } from './payees.module';
export { ChangePayee } from './use-cases/change-payee';
export { UpsertPayee } from './use-cases/upsert-payee';
