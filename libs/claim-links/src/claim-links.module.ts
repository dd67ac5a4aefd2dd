import { Module } from '@nestjs/common';
import { ClaimLinks } from './claim-links';

@Module({ providers: [ClaimLinks], exports: [ClaimLinks] })
export class ClaimLinksModule {}
