/** What every payee's money comes to. */
import { Module } from '@nestjs/common';
import { BalanceBook } from './db/balance.book';

@Module({ providers: [BalanceBook], exports: [BalanceBook] })
export class BalancesModule {}
