/** One payout with its trail. Many ask at once, each again and again: those that come together share two statements. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { Batcher } from '#libs/batcher';
import { Db } from '#libs/db';
import type { Payout } from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import type { Trail } from '../db/trail';

export interface PayoutDetail {
  payout: Payout;
  trail: Trail;
}

interface Asked {
  id: string;
  /** null: an operator, who may see all. */
  clientId: string | null;
}

@Injectable()
export class ReadPayout {
  private readonly batcher = new Batcher<Asked, PayoutDetail | null>((asked) => this.together(asked), {
    most: 32,
    atOnce: 2,
    laneOf: ({ clientId }) => clientId ?? '',
  });

  constructor(
    private readonly db: Db,
    private readonly reads: PayoutReads,
  ) {}

  ofClient(clientId: string, id: string): Promise<PayoutDetail> {
    return this.read({ clientId, id });
  }

  ofAnybody(id: string): Promise<PayoutDetail> {
    return this.read({ clientId: null, id });
  }

  private async read(asked: Asked): Promise<PayoutDetail> {
    const detail = await this.batcher.add(asked);
    if (!detail) throw new Refusal('payout_not_found');
    return detail;
  }

  /** In one transaction, so that both leave together, and the trail is never older than its payout. */
  private async together(asked: Asked[]): Promise<(PayoutDetail | null)[]> {
    const ids = [...new Set(asked.map(({ id }) => id))];
    const [payouts, trails] = await this.db.inTransaction(() =>
      Promise.all([this.reads.findAll(ids), this.reads.trails(ids)]),
    );
    const byId = new Map(payouts.map((payout) => [payout.id, payout]));
    return asked.map(({ clientId, id }) => {
      const [payout, trail] = [byId.get(id), trails.get(id)];
      const maySee = payout && (clientId === null || clientId === payout.clientId);
      return maySee && trail ? { payout, trail } : null;
    });
  }
}
