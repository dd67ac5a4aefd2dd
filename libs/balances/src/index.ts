export {
  type Balance,
  type BalanceKey,
  type BalanceMove,
  type Bucket,
  BUCKETS,
  type DayUse,
  emptyBalance,
} from './balance';
export { BalancesModule } from './balances.module';
export { BalanceBook, newestDayOf, usedOfDay } from './db/balance.book';
