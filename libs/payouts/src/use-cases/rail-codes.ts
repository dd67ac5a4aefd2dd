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
   * The code that the same rows were sent under on one of these payouts, whatever it was derived from; otherwise the first code that the
   * rail has not refused for good (it would only repeat that), that no other payout keeps, and that was sent nowhere else.
   */
  async unspent(
    rows: RowsOfCode,
    { earlier, ...paidOver }: { earlier: string[] } & PaidOver,
  ): Promise<CodeUse & { railKey: string }> {
    const last = await this.reads.codeOfRows(earlier, fingerprintOfRows(rows.refsDigest));
    if (last) {
      const use = await this.reads.useOf(last, { makingWay: earlier, ...paidOver });
      if (!use.isSpent) return { railKey: last, ...use };
    }
    for (let refusals = 0; ; refusals += 1) {
      const railKey = consolidatedRailKeyOf(this.config.deployment, rows, refusals);
      const use = await this.reads.useOf(railKey, { makingWay: earlier, ...paidOver });
      if (!use.isSpent) return { railKey, ...use };
    }
  }
}
