export { BalanceView } from './http/disbursement.view';
export { DisbursementsModule } from './disbursements.module';
export {
  type AgainstWithdrawal,
  ForeseeWithdrawal,
  staysOwed,
  type WithdrawOutlook,
} from './use-cases/foresee-withdrawal';
export { ReleaseOwed, type Released } from './use-cases/release-owed';
export { isWithdrawal, letsWithdraw } from './use-cases/withdraw-gates';
export { SettleDisputed } from './use-cases/settle-disputed';
