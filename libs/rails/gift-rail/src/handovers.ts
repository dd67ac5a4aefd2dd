/**
 * Orders that were handed over: their payee was led to the page on which they take the reward. Tremendous does not tell what becomes of it
 * there, so this is the last that anybody knows of it. An order may instead have ended, and whichever is noted first stands: the money of a
 * payout that ended is owed again, and no link to it goes out any more.
 */
import type { Clock, RailStore } from '#libs/rail-kit';

// Types and not interfaces: only those are records of the store.
type Handover = { at: string };
/** One record for each order; the first stands. Kept apart from the hand-over record, which older code beside this one would misread. */
type End = { of: 'handed_over' | 'ended' };

export class Handovers {
  constructor(
    private readonly store: RailStore,
    private readonly clock: Clock,
  ) {}

  /** Part of the caller's transaction. Throws if the order has ended. */
  async note(orderId: string): Promise<void> {
    const { of } = await this.store.claim<End>(endOf(orderId), { of: 'handed_over' });
    if (of === 'ended') throw new Error('The order has ended, and its payee is led nowhere.');
    await this.store.claim<Handover>(keyOf(orderId), { at: this.clock.now().toISOString() });
  }

  /** Called before the order counts as refused. false: its payee was led to it meanwhile. */
  async ends(orderId: string): Promise<boolean> {
    const { of } = await this.store.claim<End>(endOf(orderId), { of: 'ended' });
    return of === 'ended' && !(await this.isHandedOver(orderId));
  }

  async isHandedOver(orderId: string): Promise<boolean> {
    return (await this.store.read<Handover>(keyOf(orderId))) !== null;
  }
}

const keyOf = (orderId: string): string => `handed_over:${orderId}`;
const endOf = (orderId: string): string => `end:${orderId}`;
