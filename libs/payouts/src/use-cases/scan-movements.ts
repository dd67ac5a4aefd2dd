/**
 * Holds what rails say they moved against what we know, to the cent. Money that we know nothing of, money that differs and
 * money that should have moved are written down for the operator; money that we were not told of yet is looked up.
 */
import { Injectable } from '@nestjs/common';
import { DatabaseTrouble } from '#libs/db';
import { RailCaller, Rails } from '#libs/rail-registry';
import { log } from '#libs/telemetry';
import { DriftStore } from '../db/drift.store';
import { PayoutReads } from '../db/payout.reads';
import { SendToRail } from './send-to-rail';

export interface Scan {
  compared: number;
  found: number;
  resolved: number;
  lookedUp: number;
}

@Injectable()
export class ScanMovements {
  constructor(
    private readonly rails: Rails,
    private readonly caller: RailCaller,
    private readonly drift: DriftStore,
    private readonly reads: PayoutReads,
    private readonly sender: SendToRail,
  ) {}

  /** Until it is through, or its turn is over. What goes wrong with one rail is thrown once the others were compared. */
  async run(signal?: AbortSignal): Promise<Scan> {
    const sum: Scan = { compared: 0, found: 0, resolved: 0, lookedUp: 0 };
    const failures: unknown[] = [];
    for (const { definition, rail } of this.rails.all()) {
      if (signal?.aborted) break;
      const scan = rail && (await this.ofRail(definition.name).catch((error: unknown) => void failures.push(error)));
      if (!scan) continue;
      for (const key of Object.keys(sum) as (keyof Scan)[]) sum[key] += scan[key];
    }
    if (failures.length > 0) throw failures[0];
    return sum;
  }

  /** null where the rail does not list its movements, or cannot be asked now. */
  private async ofRail(rail: string): Promise<Scan | null> {
    const { paidSince, movedSince, now } = await this.drift.window(rail);
    const movements = await this.caller.movements(rail, movedSince);
    if (!movements) return null;
    const { news } = await this.drift.compare(rail, movements);
    for (const id of news) await this.lookUp(id);
    // What the rail says of them now may have settled the difference; what is left of it is one.
    const { differences } = await this.drift.compare(rail, movements);
    const keys = movements.map(({ railKey }) => railKey);
    const missing = await this.drift.missingThere(rail, paidSince, keys);
    const found = await this.drift.record([...differences, ...missing]);
    const resolved = await this.drift.resolve(rail, movements);
    await this.drift.scanned(rail, now);
    if (found > 0) log.error({ event: 'drift.found', rail, count: found }, 'the rail and we disagree about money');
    return { compared: movements.length, found, resolved, lookedUp: news.length };
  }

  /** One that cannot be changed is no reason to leave the others: its difference stays, and is written down. */
  private async lookUp(payoutId: string): Promise<void> {
    try {
      const payout = await this.reads.find(payoutId);
      if (payout) await this.sender.lookUp(payout);
    } catch (error) {
      if (error instanceof DatabaseTrouble) throw error;
      const { stack, message } = error as Error;
      log.error({ event: 'drift.look_up_failed', payoutId, stack }, message);
    }
  }
}
