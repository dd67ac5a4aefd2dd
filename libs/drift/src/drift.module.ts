/** Where a rail and we disagree about money, and what the rails list of it. */
import { Module } from '@nestjs/common';
import { DriftBook } from './db/drift.book';
import { DriftReads } from './db/drift.reads';
import { RailLists } from './db/rail-lists.book';

@Module({ providers: [DriftBook, DriftReads, RailLists], exports: [DriftBook, DriftReads, RailLists] })
export class DriftModule {}
