export { ClaimLinks } from './claim-links';
export { ClaimLinksModule } from './claim-links.module';
export { Seal } from './seal';
export { type WalletLink, WalletLinks } from './wallet-links';
