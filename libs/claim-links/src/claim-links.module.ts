import { Module } from '@nestjs/common';
import { ClaimLinks } from './claim-links';
import { WalletLinks } from './wallet-links';

@Module({ providers: [ClaimLinks, WalletLinks], exports: [ClaimLinks, WalletLinks] })
export class ClaimLinksModule {}
