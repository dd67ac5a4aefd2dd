/** The rows of what is owed. A payout takes its rows along in every change, so they are below payouts. */
import { Module } from '@nestjs/common';
import { DisbursementBook } from './db/disbursement.book';
import { DisbursementReads } from './db/disbursement.reads';

@Module({ providers: [DisbursementBook, DisbursementReads], exports: [DisbursementBook, DisbursementReads] })
export class OwedModule {}
