/**
 * Holds what rails listed under the code of one payout against it as it is now. The comparison did so when it was listed: the payout may have
 * come to rest since, or nothing of it was known then, and the next comparison may look at its code no more.
 */
import { Injectable } from '@nestjs/common';
import { DriftBook } from './db/drift.book';
import { type Listed, RailLists } from './db/rail-lists.book';

@Injectable()
export class NameListed {
  constructor(
    private readonly lists: RailLists,
    private readonly drift: DriftBook,
  ) {}

  async of(payout: Listed): Promise<void> {
    await this.drift.record(await this.lists.under(payout));
  }

  /** It came back, and is listed as out once more, in a way that may be no difference: only its rail can tell. */
  mayBeOut(payout: Listed): Promise<boolean> {
    return this.lists.mayBeOut(payout);
  }
}
