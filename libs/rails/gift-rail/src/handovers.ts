/**
 * Orders that were handed over: their payee was led to the page on which they take the reward. Tremendous does not tell what becomes of it
 * there, so this is the last that anybody knows of it. An order may instead have ended, and whichever is noted first stands: the money of a
 * payout that ended is owed again, and no link to it goes out any more, unless Tremendous shows it alive once more.
 */
import type { RailClock, RailStore } from '#libs/rail-kit';

// Types and not interfaces: only those are records of the store.
type Handover = { at: string };
/** One record for each order; the first stands. Kept apart from the hand-over record, which older code beside this one would misread. */
type End = { of: 'handed_over' | 'ended'; at?: string };

/** What was asked so soon after an end was noted may still be answered with what was before it. */
const SETTLED_MS = 60_000;

export class Handovers {
  constructor(
    private readonly store: RailStore,
    private readonly clock: RailClock,
  ) {}

  /** Part of the caller's transaction. Throws if the order has ended. */
  async note(orderId: string): Promise<void> {
    if ((await this.first(orderId, 'handed_over')) === 'ended')
      throw new Error('The order has ended, and its payee is led nowhere.');
    await this.store.claim<Handover>(keyOf(orderId), { at: this.clock.now().toISOString() });
  }

  /** Called before the order counts as refused. false: its payee was led to it meanwhile. */
  async ends(orderId: string): Promise<boolean> {
    return (await this.first(orderId, 'ended')) === 'ended' && !(await this.isHandedOver(orderId));
  }

  /** Tremendous showed it alive when it was asked then: if its end was noted long before, that was none. */
  async noteAlive(orderId: string, askedAt: Date): Promise<void> {
    const life = await this.lifeOf(orderId);
    const end = await this.store.read<End>(endOf(orderId, life));
    const isOld = Date.parse(end?.at ?? '1970-01-01') < askedAt.getTime() - SETTLED_MS;
    if (end?.of === 'ended' && isOld) await this.store.claim(afterOf(orderId, life), {});
  }

  async isHandedOver(orderId: string): Promise<boolean> {
    return (await this.store.read<Handover>(keyOf(orderId))) !== null;
  }

  /** What was noted first of this life of the order. */
  private async first(orderId: string, of: End['of']): Promise<End['of']> {
    const end = { of, at: this.clock.latest().toISOString() };
    return (await this.store.claim<End>(endOf(orderId, await this.lifeOf(orderId)), end)).of;
  }

  /** How often it came back after it had ended. */
  private async lifeOf(orderId: string): Promise<number> {
    let life = 0;
    while ((await this.store.read(afterOf(orderId, life))) !== null) life += 1;
    return life;
  }
}

const keyOf = (orderId: string): string => `handed_over:${orderId}`;
const endOf = (orderId: string, life: number): string => (life === 0 ? `end:${orderId}` : `end:${orderId}:${life}`);
const afterOf = (orderId: string, life: number): string => `alive_after:${orderId}:${life}`;
