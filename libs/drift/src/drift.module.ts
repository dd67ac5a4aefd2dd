/** Where a rail and we disagree about money, and what the rails list of it. */
import { Module } from '@nestjs/common';
import { DriftBook } from './db/drift.book';
import { DriftReads } from './db/drift.reads';
import { PaidButNotListed } from './db/paid-but-not-listed.reads';
import { RailLists } from './db/rail-lists.book';
import { NameListed } from './name-listed';

const PARTS = [DriftBook, DriftReads, NameListed, PaidButNotListed, RailLists];

@Module({ providers: PARTS, exports: PARTS })
export class DriftModule {}
