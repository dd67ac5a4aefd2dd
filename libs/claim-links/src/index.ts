export { ClaimLinks } from './claim-links';
export { ClaimLinksModule } from './claim-links.module';
export { type WalletLink, WalletLinks } from './wallet-links';
