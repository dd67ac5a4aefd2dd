/** Prepaid money of clients: an append-only record of what came in, and totals of what went out. */
import { Module } from '@nestjs/common';
import { WalletReads } from './db/wallet.reads';
import { WalletStore } from './db/wallet.store';
import { WalletController } from './http/wallet.controller';
import { WalletBook } from './use-cases/wallet-book';

@Module({
  controllers: [WalletController],
  providers: [WalletReads, WalletStore, WalletBook],
  exports: [WalletReads, WalletBook],
})
export class WalletsModule {}
