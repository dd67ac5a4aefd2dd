export {
  DisbursementBook,
  type NewRow,
  type RowMove,
  type Taken,
  type TakeLimits,
  type TakenRows,
  type TakeOrder,
} from './db/disbursement.book';
export { DisbursementReads, type Earlier, type Owed, type WaitingPayee } from './db/disbursement.reads';
export { type Disbursement, DISPUTED_ROWS, type DisputedRows, isReservedRef, restoredRef } from './disbursement';
export { OwedModule } from './owed.module';
