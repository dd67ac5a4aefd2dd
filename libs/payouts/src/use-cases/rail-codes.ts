/** The code of a payout of rows: the same for the same rows, so that the rail itself would not pay them twice. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { consolidatedRailKeyOf, fingerprintOfRows, type RowsOfCode } from '#libs/payout-rules';
import { Rails } from '#libs/rail-registry';
import { type CodeUse, type PaidOver, PayoutReads } from '../db/payout.reads';

@Injectable()
export class RailCodes {
  constructor(
    private readonly reads: PayoutReads,
    private readonly rails: Rails,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A code that the same rows had before, whatever it was derived from, and sooner the one that this rail has for where they go now: it may still
   * pay that. Otherwise the first that it has not refused for good (it would repeat that), that no other payout keeps, and that went nowhere else.
   */
  async unspent(
    rows: RowsOfCode,
    { payoutId, earlier, ...to }: { payoutId: string; earlier: string[] } & PaidOver,
  ): Promise<CodeUse & { railKey: string }> {
    const print = fingerprintOfRows(rows.refsDigest);
    const before = earlier.length > 0 ? await this.reads.codesOfRows(payoutId, print, to) : [];
    const forgetsAfter = this.rails.forgetsAfterSeconds(to.provider);
    for (let nth = 0; ; nth += 1) {
      const railKey = before[nth] ?? consolidatedRailKeyOf(this.config.deployment, rows, nth - before.length);
      if (nth >= before.length && before.includes(railKey)) continue; // looked at already
      const use = await this.reads.useOf(railKey, { makingWay: earlier, forgetsAfter, ...to });
      if (!use.isSpent) return { railKey, ...use };
    }
  }
}
