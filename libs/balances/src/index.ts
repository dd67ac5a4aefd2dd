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
export { BalanceBook, NEWEST_DAY, USED_OF_DAY } from './db/balance.book';
