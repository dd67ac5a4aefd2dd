/** The code of a payout of rows: the same for the same rows, so that the rail itself would not pay them twice. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { consolidatedRailKeyOf, fingerprintOfRows, type RowsOfCode } from '#libs/payout-rules';
import { type CodeUse, type PaidOver, PayoutReads } from '../db/payout.reads';

@Injectable()
export class RailCodes {
  constructor(
    private readonly reads: PayoutReads,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A code that the same rows were sent under before, whatever it was derived from, and sooner the one that this rail has for where they go
   * now: it may still pay that. Otherwise the first that it has not refused for good (it would only repeat that), that no other payout
   * keeps, and that was sent nowhere else.
   */
  async unspent(
    rows: RowsOfCode,
    { payoutId, earlier, ...to }: { payoutId: string; earlier: string[] } & PaidOver,
  ): Promise<CodeUse & { railKey: string }> {
    const before =
      earlier.length > 0 ? await this.reads.codesOfRows(payoutId, fingerprintOfRows(rows.refsDigest), to) : [];
    for (const railKey of this.candidates(before, rows)) {
      const use = await this.reads.useOf(railKey, { makingWay: earlier, ...to });
      if (!use.isSpent) return { railKey, ...use };
    }
    throw new Error('There is always one more code.');
  }

  private *candidates(before: Iterable<string>, rows: RowsOfCode): Iterable<string> {
    yield* before;
    for (let refusals = 0; ; refusals += 1) yield consolidatedRailKeyOf(this.config.deployment, rows, refusals);
  }
}
