export { PayeeReads } from './db/payee.reads';
export { PayeeStore } from './db/payee.store';
export { type RouteRow, RouteStore, type RoutingTable } from './db/route.store';
export type { Method, Payee } from './payee';
export { type PayeeFacts, PayeeRouting, type RoutingView } from './payee-routing';
export { PayeesModule } from './payees.module';
export { ChangePayee } from './use-cases/change-payee';
export { UpsertPayee } from './use-cases/upsert-payee';
