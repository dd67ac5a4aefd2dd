/**
 * The name that a payout is sent under, and the calls whose outcome is unknown. An order that failed or was cancelled uses its `external_id`
 * up, so the next order has the next name. Tremendous itself is asked whether an order is there: kept here is only what may still be on
 * its way to it.
 */
import { randomUUID } from 'node:crypto';
import { IN_DOUBT_FOR_MS, MOST_EARLIER_NAMES, type RailClock, type RailStore } from '#libs/rail-kit';

// A type and not an interface: only that is a record of the store.
export type Sending = {
  number: number;
  /** Its order came to nothing, in Tremendous's own words. */
  over: boolean;
  /** Tremendous answered with an order under this name, or listed one, that had not come to nothing. Older records do not say. */
  there?: boolean;
  /** Calls that nobody answered so far: of each a word of its own, and when it was made. Of those long ago one stands for all. */
  open: string;
};

/** The first that is looked at, and the last that we know: there may be more, if our own records are older. */
export interface Names {
  from: number;
  last: number;
}

export class Sendings {
  constructor(
    private readonly store: RailStore,
    private readonly clock: RailClock,
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
    const call = `${randomUUID()}=${this.clock.latest().toISOString()}`;
    await this.change(railKey, (now) => ({ ...now, open: this.fewest([...now.open.split(' '), call]) }));
    return call;
  }

  /** `isThere`: with an order that lives. */
  async answered(railKey: string, { number }: Pick<Sending, 'number'>, call: string, isThere: boolean): Promise<void> {
    await this.change(railKey, (now) => ({
      ...now,
      ...(isThere && now.number === number ? { there: true } : {}),
      open: this.fewest(now.open.split(' ').filter((each) => each !== call)),
    }));
  }

  /** Or of those before, if our own records are older than it. */
  async isOver(railKey: string, number: number): Promise<void> {
    await this.store.claim<Sending>(keyOf(railKey), begun(1));
    await this.change(railKey, (now) => (now.number <= number ? { ...now, number, over: true } : now));
  }

  /** An order under this name lives: what a list shows of those before says nothing from now on. */
  async isThere(railKey: string, number: number): Promise<void> {
    const known = await this.store.claim<Sending>(keyOf(railKey), begun(1));
    if (known.number > number || (known.number === number && known.there)) return;
    await this.change(railKey, (now) => {
      if (now.number > number) return now;
      return { ...(now.number === number ? now : { ...begun(number), open: now.open }), there: true };
    });
  }

  /** The names that are looked at: Tremendous may execute an order after it called that failed. */
  async names(railKey: string): Promise<Names> {
    const last = (await this.store.read<Sending>(keyOf(railKey)))?.number ?? 1;
    return { from: Math.max(1, last - MOST_EARLIER_NAMES), last };
  }

  /** Whether an order may be there that no list shows, or may arrive still, under a name that follows this one. */
  async mayBeThere(railKey: string, after = 0): Promise<boolean> {
    const now = await this.store.read<Sending>(keyOf(railKey));
    if (!now || now.number <= after) return false;
    return (now.there === true && !now.over) || this.young(now.open).length > 0;
  }

  /** Whether any call but those that were turned away was made under its name, however long ago. */
  async wasSent(railKey: string): Promise<boolean> {
    const now = await this.store.read<Sending>(keyOf(railKey));
    return now !== null && (now.there === true || now.open !== '');
  }

  private async change(railKey: string, change: (now: Sending) => Sending): Promise<void> {
    await this.store.update<Sending>(keyOf(railKey), change);
  }

  /**
   * Old calls are not counted: once they cannot arrive any more, it is enough that there was one. The entry for several has none of their ids: a
   * late answer to one of them, in a process that slept, does not clear the others.
   */
  private fewest(open: string[]): string {
    const young = this.young(open.join(' '));
    const old = open.filter((call) => call !== '' && !young.includes(call));
    return [...(old.length > 1 ? [`several=${timeOf(old[0])}`] : old), ...young].join(' ');
  }

  private young(open: string): string[] {
    const now = this.clock.now().getTime();
    return open.split(' ').filter((call) => now - Date.parse(timeOf(call)) < IN_DOUBT_FOR_MS);
  }
}

/** The first one is the code itself; those that follow say which they are. */
export const externalId = (railKey: string, number: number): string =>
  number === 1 ? railKey : `${railKey}:${number}`;

export const railKeyOf = (name: string): string => name.replace(/:[0-9]+$/, '');

const timeOf = (call = ''): string => call.split('=')[1] ?? '';

const begun = (number: number): Sending => ({ number, over: false, open: '' });

const keyOf = (railKey: string): string => `payout:${railKey}`;
