export { type Balance, type BalanceKey, type BalanceMove, type Bucket, BUCKETS, emptyBalance } from './balance';
export { BalancesModule } from './balances.module';
export { BalanceBook } from './db/balance.book';
