export { WalletReads } from './db/wallet.reads';
export { WalletEntryView, walletEntryView, WalletView, walletView } from './http/wallet.view';
export { type NewEntry, type PostedEntry, WalletBook } from './use-cases/wallet-book';
export {
  availableCents,
  ENTRY_TYPES,
  type EntryType,
  type Wallet,
  type WalletEntry,
  walletKey,
  type WalletKey,
  type WalletMove,
} from './wallet';
export { WalletsModule } from './wallets.module';
