/**
 * Releases payouts that were held for a cause that passes: a floor that was reached, a day that is over, funds that came. Each payout goes
 * to its gates again under its payee's lock, oldest first, and many of one payee in portions. The payouts of a suspended client wait. If
 * one payee's payouts cannot be written, that holds up nobody else's.
 */
import { Injectable } from '@nestjs/common';
import { apart, OneAfterAnother } from '#libs/db';
import type { LockedPayees } from '#libs/payees';
import {
  asManyAsGo,
  centsOf,
  goesOnByItself,
  groupNow,
  groupOf,
  ofWholeGroups,
  type Payout,
  waitsForFloor,
  wentOn,
} from '#libs/payout-rules';
import { type AccruedGroup, FloorReads } from '../db/floor.reads';
import { HeldReads, type OfEarlierDay, type PayoutsOfPayee } from '../db/held.reads';
import { ChangePayout } from './change-payout';
import { JudgeHeld, type Passed } from './judge-held';
import { type GateView, PayoutGates } from './payout-gates';

/** soon: its rail is asked first. held: for something else by now. stays: as it is, for now. */
export type WentOn = 'on' | 'soon' | 'held' | 'stays';

/** How many payouts one transaction of a sweep locks: few, so that nobody waits long for their payee. */
const PORTION = 250;
/** More than the payouts of a cent that any rail's own floor holds: what a transaction may have to do at once. */
const MOST_AT_ONCE = 2_500;

interface Portion {
  changed: Payout[];
  /** The payouts that it looked at, oldest first: none once none is left. */
  looked: Payout[];
  /** A payout of this portion, or of an earlier one, goes on. */
  isBegun?: boolean;
}

const NONE: Portion = { changed: [], looked: [] };

@Injectable()
export class ReleaseHeld {
  private readonly groups = new OneAfterAnother<AccruedGroup>(groupOf, notReleased);
  private readonly days = new OneAfterAnother<OfEarlierDay>(
    ({ payeeId, currency }) => `${payeeId} ${currency}`,
    notReleased,
  );
  private readonly differences = new OneAfterAnother<PayoutsOfPayee>(({ payeeId }) => payeeId, notReleased);

  constructor(
    private readonly change: ChangePayout,
    private readonly held: HeldReads,
    private readonly floors: FloorReads,
    private readonly gates: PayoutGates,
    private readonly judge: JudgeHeld,
  ) {}

  /**
   * Part of the transaction that created these rows: rows that reach a floor go on at once, with all that waited for it. The transaction may
   * be shared, so a group of very many, or of which somebody holds one, is left to the sweep. Nothing is loaded of groups that do not reach their floor.
   */
  async releaseReached(
    created: Payout[],
    payees: LockedPayees,
    { clients }: Pick<GateView, 'clients'>,
  ): Promise<Payout[]> {
    const waiting = new Map(created.filter(waitsForFloor).map((payout) => [groupOf(payout), payout]));
    if (waiting.size === 0) return created;
    const sums = await this.floors.sums([...waiting.values()], MOST_AT_ONCE);
    const tipped = asManyAsGo(MOST_AT_ONCE, sums, (group) => {
      const client = clients[waiting.get(groupOf(group))?.clientId ?? ''];
      return client ? this.gates.floorOf(client, group.provider, group.currency) : Infinity;
    });
    if (tipped.length === 0) return created;
    const sentByCaller = new Set(created.map(({ id }) => id));
    const free = ofWholeGroups(await this.floors.lockFree(tipped), tipped, (payout) =>
      groupNow(payout, payees.get(payout.payeeId) ?? payout),
    );
    const { changed } = await this.judge.run(free, payees, { besideCents: 0, sentByCaller });
    const byId = new Map(changed.map((payout) => [payout.id, payout]));
    return created.map((payout) => byId.get(payout.id) ?? payout);
  }

  /** Everywhere: a floor may have been lowered since the rows were held. Returns how many were released. */
  async accrued(signal?: AbortSignal): Promise<number> {
    const groups = await this.floors.accrued(this.gates.floors());
    const work = (group: AccruedGroup): Promise<number> =>
      this.inPortions(group, (payees, last) => this.releaseAccrued(group, payees, last), signal);
    return this.groups.run(groups, work, signal);
  }

  /** Payouts held for a daily cap of a day that is over, of all clients or of one. If one does not fit into today's cap, it stays as it is. */
  async ofEarlierDays(clientId: string | null = null, signal?: AbortSignal): Promise<number> {
    const work = (day: OfEarlierDay): Promise<number> => {
      const portion = async (payees: LockedPayees, last: Portion): Promise<Portion> => {
        const looked = await this.held.lockFittingToday(day, lastOf(last), PORTION);
        const { changed } = await this.judge.run(looked, payees, { onlyFitting: true });
        return { changed, looked };
      };
      return this.inPortions(day, portion, signal);
    };
    return this.days.run(await this.held.ofEarlierDays(clientId), work, signal);
  }

  /** Payouts held for a difference that was closed since. If an operator decided about their own money, a person releases them. */
  async undisputed(signal?: AbortSignal): Promise<number> {
    const work = async ({ payeeId, ids }: PayoutsOfPayee): Promise<number> => {
      let count = 0;
      for (let from = 0; from < ids.length && !signal?.aborted; from += PORTION) {
        const { changed } = await this.change.withPayees([payeeId], async (payees) => {
          const waiting = await this.held.lock('route_blocked', ids.slice(from, from + PORTION));
          const due = waiting.filter((payout) => goesOnByItself(payout));
          return this.judge.run(due, payees);
        });
        count += changed.filter(wentOn).length;
      }
      return count;
    };
    return this.differences.run(await this.held.undisputed(), work, signal);
  }

  /** One payout that waited for funds. */
  async funded(payeeId: string, payoutId: string): Promise<WentOn> {
    const released = await apart<Passed>(notReleased({ payeeId }), () =>
      this.change.withPayees([payeeId], async (payees) =>
        this.judge.run(await this.held.lock('insufficient_funds', [payoutId]), payees),
      ),
    );
    if (released && released.asked.length > 0) return 'soon';
    const [changed] = released?.changed ?? [];
    if (!changed) return 'stays';
    return wentOn(changed) ? 'on' : 'held';
  }

  /**
   * Each a transaction of its own, from after the last of the one before, so that what stays is passed over; and no more payouts than there
   * were at first: a client that goes on pushing must not keep the sweep of all.
   */
  private async inPortions(
    { payeeId, payouts }: { payeeId: string; payouts: number },
    work: (payees: LockedPayees, last: Portion) => Promise<Portion>,
    signal?: AbortSignal,
  ): Promise<number> {
    let [count, left] = [0, payouts];
    for (let last = NONE; ;) {
      const from = last;
      last = await this.change.withPayees([payeeId], (payees) => work(payees, from));
      count += last.changed.filter(wentOn).length;
      left -= last.looked.length;
      if (last.looked.length === 0 || left <= 0 || signal?.aborted) return count;
    }
  }

  /**
   * Once one payout goes on, the whole group does, even portions that would not reach the floor alone. Until then the payouts that may leave
   * are compared with the floor as it is now: those of this portion, or else as many as one transaction takes.
   */
  private async releaseAccrued(group: AccruedGroup, payees: LockedPayees, last: Portion): Promise<Portion> {
    const [after, isBegun] = [lastOf(last), last.isBegun === true];
    const restCents = isBegun ? Infinity : await this.floors.centsAfter(group, after);
    if (restCents < group.floorCents) return NONE;
    const from = { floorCents: group.floorCents, after, most: MOST_AT_ONCE };
    let payouts = await this.floors.lockPortion(group, { ...from, payouts: PORTION });
    let passed = await this.judge.run(payouts, payees, { besideCents: isBegun ? Infinity : 0 });
    if (passed.isBelow && centsOf(payouts) < restCents) {
      payouts = await this.floors.lockPortion(group, { ...from, payouts: MOST_AT_ONCE });
      passed = await this.judge.run(payouts, payees, { besideCents: restCents - centsOf(payouts) });
    }
    const { changed, asked, isBelow } = passed;
    if (isBelow) return NONE;
    return { changed, looked: payouts, isBegun: isBegun || asked.length > 0 || changed.some(wentOn) };
  }
}

const lastOf = ({ looked }: Portion): string | null => looked.at(-1)?.id ?? null;

function notReleased({ payeeId }: { payeeId: string }) {
  return { event: 'payee.not_released', payeeId };
}
