/**
 * Orders that were handed over: their payee was led to the page on which they take the reward. Tremendous does not tell what becomes of it
 * there, so this is the last that anybody knows of it.
 */
import type { Clock, RailStore } from '#libs/rail-kit';

// A type and not an interface: only that is a record of the store.
type Handover = { at: string };

export class Handovers {
  constructor(
    private readonly store: RailStore,
    private readonly clock: Clock,
  ) {}

  async note(orderId: string): Promise<void> {
    await this.store.claim<Handover>(keyOf(orderId), { at: this.clock.now().toISOString() });
  }

  async isHandedOver(orderId: string): Promise<boolean> {
    return (await this.store.read<Handover>(keyOf(orderId))) !== null;
  }
}

const keyOf = (orderId: string): string => `handed_over:${orderId}`;
