/**
 * Under which name a payout is sent, and what is not known of it. An order that failed or was cancelled uses its `external_id` up, so
 * what is sent after it has the next one. Whether an order is there is asked of Tremendous itself: only what may still be on its way
 * to it stands here.
 */
import { randomUUID } from 'node:crypto';
import type { Clock, RailStore } from '#libs/rail-kit';

/** A call that nobody answered may arrive so late. */
const ARRIVES_WITHIN_MS = 600_000;

// A type and not an interface: only that is a record of the store.
export type Sending = {
  number: number;
  /** Its order came to nothing, in Tremendous's own words. */
  over: boolean;
  /** Calls that nobody answered so far: of each a word of its own, and when it was made. */
  open: string;
};

export class Sendings {
  constructor(
    private readonly store: RailStore,
    private readonly clock: Clock,
  ) {}

  /** The one under which it is sent now: the one that it has, or the next one if that is over. */
  async toSend(railKey: string): Promise<Sending> {
    const first = await this.store.claim<Sending>(keyOf(railKey), begun(1));
    if (!first.over) return first;
    const next = await this.store.update<Sending>(keyOf(railKey), (now) => (now.over ? begun(now.number + 1) : now));
    return next ?? first;
  }

  /** Written before the call: whoever dies in the middle of it leaves a doubt behind. */
  async calling(railKey: string): Promise<string> {
    const call = `${randomUUID()}=${this.clock.now().toISOString()}`;
    await this.changeOpen(railKey, (open) => [...open, call]);
    return call;
  }

  answered(railKey: string, call: string): Promise<void> {
    return this.changeOpen(railKey, (open) => open.filter((each) => each !== call));
  }

  /** Or of those before, if our own records are older than it. */
  async isOver(railKey: string, number: number): Promise<void> {
    await this.store.claim<Sending>(keyOf(railKey), begun(1));
    await this.store.update<Sending>(keyOf(railKey), (now) =>
      now.number <= number ? { ...now, number, over: true } : now,
    );
  }

  /** Whether a call that nobody answered may still arrive there, under a name that follows this one. */
  async mayArrive(railKey: string, after = 0): Promise<boolean> {
    const { open = '', number = 0 } = (await this.store.read<Sending>(keyOf(railKey))) ?? {};
    return number > after && this.young(open).length > 0;
  }

  private async changeOpen(railKey: string, change: (open: string[]) => string[]): Promise<void> {
    await this.store.update<Sending>(keyOf(railKey), (now) => ({
      ...now,
      open: change(this.young(now.open)).join(' '),
    }));
  }

  private young(open: string): string[] {
    const now = this.clock.now().getTime();
    return open.split(' ').filter((call) => now - Date.parse(call.split('=')[1] ?? '') < ARRIVES_WITHIN_MS);
  }
}

/** The first one is the code itself; those that follow say which they are. */
export const externalId = (railKey: string, number: number): string =>
  number === 1 ? railKey : `${railKey}:${number}`;

export const railKeyOf = (name: string): string => name.replace(/:[0-9]+$/, '');

const begun = (number: number): Sending => ({ number, over: false, open: '' });

const keyOf = (railKey: string): string => `payout:${railKey}`;
