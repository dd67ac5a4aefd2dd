/**
 * Releases payouts that were held for a cause that passes: a floor that was reached, a day that is over, funds that came. Each payout goes
 * to its gates again under its payee's lock, oldest first, and many of one payee in portions. The payouts of a suspended client wait. If
 * one payee's payouts cannot be written, that holds up nobody else's.
 */
import { Injectable } from '@nestjs/common';
import { apart, InPortions, InTurns, type Portion, type RunLimits } from '#libs/db';
import type { LockedPayees } from '#libs/payees';
import {
  asManyAsGo,
  centsOf,
  type FloorGroup,
  goesOnByItself,
  groupNow,
  groupOf,
  ofWholeGroups,
  type Payout,
  waitsForFloor,
  wentOn,
} from '#libs/payout-rules';
import { type AccruedGroup, FloorReads } from '../db/floor.reads';
import { GROUPS_AT_A_TIME } from '../db/held-for';
import { HeldReads, type OfEarlierDay, type PayoutsOfPayee } from '../db/held.reads';
import { ChangePayout } from './change-payout';
import { JudgeHeld, type Passed } from './judge-held';
import { type GateView, PayoutGates } from './payout-gates';

/** soon: its rail is asked first. held: for something else by now. stays: as it is, for now. late: somebody holds what it needs. */
export type WentOn = 'on' | 'soon' | 'held' | 'stays' | 'late';

/** How many payouts one transaction of a sweep locks: few, so that nobody waits long for their payee. */
const PORTION = 250;
/** More than the payouts of a cent that any rail's own floor holds: what a transaction may have to do at once. */
const MOST_AT_ONCE = 2_500;

/** The last payout of a portion. */
type Place = string | null;

interface FloorPlace {
  after: Place;
  /** A payout of this portion, or of an earlier one, goes on. */
  isBegun: boolean;
}

@Injectable()
export class ReleaseHeld {
  /** What is left of a group is no group that reaches its floor any more. */
  private readonly groups = new InPortions<AccruedGroup, FloorPlace>(groupOf, notReleased, ({ isBegun }) => isBegun);
  private readonly days = new InPortions<OfEarlierDay, Place>(
    ({ payeeId, currency }) => `${payeeId} ${currency}`,
    notReleased,
  );
  private readonly differences = new InPortions<PayoutsOfPayee, Set<string>>(({ payeeId }) => payeeId, notReleased);
  private readonly turns = { overTheDay: new InTurns(), inDispute: new InTurns() };

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
    const groupNowOf = (payout: Payout): FloorGroup => groupNow(payout, payees.get(payout.payeeId) ?? payout);
    const changed: Payout[] = [];
    for (const free of ofWholeGroups(await this.floors.lockFree(tipped), tipped, groupNowOf, PORTION))
      changed.push(...(await this.judge.run(free, payees, { besideCents: 0, sentByCaller })).changed);
    const byId = new Map(changed.map((payout) => [payout.id, payout]));
    return created.map((payout) => byId.get(payout.id) ?? payout);
  }

  /** Everywhere: a floor may have been lowered since the rows were held. Returns how many were released. */
  async accrued(limits?: RunLimits): Promise<number> {
    const work = (group: AccruedGroup, place: FloorPlace | null): Promise<Portion<FloorPlace> | 'later' | null> =>
      this.change.withPayees([group.payeeId], (payees) => this.releaseAccrued(group, payees, place));
    return this.groups.run(await this.floors.accrued(this.gates.floors()), work, limits);
  }

  /** Payouts held for a daily cap of a day that is over, of all clients or of one. If one does not fit into today's cap, it stays as it is. */
  async ofEarlierDays(clientId: string | null = null, limits?: RunLimits): Promise<number> {
    const work = (day: OfEarlierDay, after: Place): Promise<Portion<Place>> =>
      this.change.withPayees([day.payeeId], async (payees) => {
        const looked = await this.held.lockFittingToday(day, after, PORTION);
        return portionOf(looked, await this.judge.run(looked, payees, { onlyFitting: true }), lastOf(looked));
      });
    const found = await (clientId === null ? this.turns.overTheDay : new InTurns()).look(
      (last) => this.held.turnsOverTheDay(last, clientId),
      (turn) => this.held.ofEarlierDays(turn),
    );
    return this.days.run(found.slice(0, GROUPS_AT_A_TIME), work, limits);
  }

  /** Payouts held for a difference that was closed since. If an operator decided about their own money, a person releases them. */
  async undisputed(limits?: RunLimits): Promise<number> {
    const work = ({ payeeId, ids }: PayoutsOfPayee, before: Set<string> | null): Promise<Portion<Set<string>>> =>
      this.change.withPayees([payeeId], async (payees) => {
        const some = ids.filter((id) => !before?.has(id)).slice(0, PORTION);
        const due = (await this.held.lock('route_blocked', some)).filter((payout) => goesOnByItself(payout));
        const done = portionOf(due, await this.judge.run(due, payees), new Set([...(before ?? []), ...some]));
        return { ...done, looked: some.length };
      });
    const found = await this.turns.inDispute.look(
      (last) => this.held.turnsInDispute(last),
      (turn) => this.held.undisputed(turn),
    );
    return this.differences.run(found, work, limits);
  }

  /** One payout that waited for funds. */
  async funded(payeeId: string, payoutId: string): Promise<WentOn> {
    let isLate = false;
    const released = await apart<Passed>(
      notReleased({ payeeId }),
      () =>
        this.change.withPayees([payeeId], async (payees) =>
          this.judge.run(await this.held.lock('insufficient_funds', [payoutId]), payees),
        ),
      () => (isLate = true),
    );
    if (isLate) return 'late';
    if (released && released.asked.length > 0) return 'soon';
    const [changed] = released?.changed ?? [];
    if (!changed) return 'stays';
    return wentOn(changed) ? 'on' : 'held';
  }

  /**
   * Once one payout goes on, the whole group does, even portions that would not reach the floor alone. Until then the payouts that may leave
   * are compared with the floor as it is now: those of this portion, or else as many as one transaction takes.
   */
  private async releaseAccrued(
    group: AccruedGroup,
    payees: LockedPayees,
    place: FloorPlace | null,
  ): Promise<Portion<FloorPlace> | 'later' | null> {
    const { after, isBegun } = place ?? { after: null, isBegun: false };
    const restCents = isBegun ? Infinity : await this.floors.centsAfter(group, after);
    if (restCents < group.floorCents) return null;
    // Those that came since wait for a floor of their own.
    const from = { floorCents: group.floorCents, after, newest: isBegun ? group.newest : null, most: MOST_AT_ONCE };
    let payouts = await this.floors.lockPortion(group, { ...from, payouts: PORTION });
    let passed = await this.judge.run(payouts, payees, { besideCents: isBegun ? Infinity : 0 });
    if (passed.isBelow && centsOf(payouts) < restCents) {
      payouts = await this.floors.lockPortion(group, { ...from, payouts: MOST_AT_ONCE });
      passed = await this.judge.run(payouts, payees, { besideCents: restCents - centsOf(payouts) });
    }
    if (passed.isSuspended && isBegun) return 'later';
    if (passed.isBelow) return null;
    return portionOf(payouts, passed, { after: lastOf(payouts), isBegun: isBegun || someGoOn(passed) });
  }
}

const someGoOn = ({ asked, changed }: Passed): boolean => asked.length > 0 || changed.some(wentOn);

const lastOf = (looked: Payout[]): Place => looked.at(-1)?.id ?? null;

const portionOf = <P>(looked: Payout[], { changed }: Passed, place: P): Portion<P> => ({
  ...{ looked: looked.length, done: changed.filter(wentOn).length },
  place,
});

const notReleased = ({ payeeId }: { payeeId: string }) => ({ event: 'payee.not_released', payeeId });
