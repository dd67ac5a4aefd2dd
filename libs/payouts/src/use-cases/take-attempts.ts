/**
 * Takes sends on: under the payout's lock, while the job's lease is held, and after a last look at what may have changed since the payout
 * was authorized. Each send has its number on record before the rail is called.
 */
import { Injectable } from '@nestjs/common';
import { Batcher, FreeFirst } from '#libs/batcher';
import { DatabaseClock, goneMeanwhile } from '#libs/db';
import { type HeldJob, Jobs } from '#libs/jobs';
import { type LastLook, PayeeReads } from '#libs/payees';
import {
  changeOf,
  type Clearance,
  firstCallBlocker,
  hasUnreadAccount,
  isAsAsked,
  isAtItsRail,
  isBlocked,
  isCodeHonoured,
  isLegHonoured,
  isOldClearance,
  isOldWish,
  isUnderWay,
  keptBack,
  type Leg,
  legsWishedAt,
  legToSend,
  LOST_PROVIDER,
  mayHaveLeft,
  type Payout,
  type PayoutChange,
  secondsUntilDue,
  submission,
  unbegunByAnother,
  underWay,
  withAttempt,
  withFacts,
  withStep,
} from '#libs/payout-rules';
import { Rails } from '#libs/rail-registry';
import { ChangePayout } from './change-payout';

interface Wish {
  /** As the job saw it: whatever became of it since is not this job's to send. */
  seen: Payout;
  /** Nothing moved for it, nor for what its rows were on before, as far as rails told then. */
  clearance: Clearance;
  /** The account that it pays to was read just now, if nobody else reads it. */
  isAccountRead: boolean;
  /** It is sent again because its rail refused what was sent before. */
  isRefused: boolean;
  job: HeldJob;
}

export interface Taken {
  payout: Payout;
  /** false: nothing is to be sent now. */
  taken: boolean;
  /** Not before the account that it pays to was read. */
  isUnread: boolean;
}

@Injectable()
export class TakeAttempts {
  /** Jobs that start together take on together, in one transaction. */
  private readonly batcher = new Batcher<Wish, Taken | 'busy'>((wishes) => this.takeFree(wishes), {
    most: 64,
    atOnce: 2,
    laneOf: clientOf,
  });
  private readonly freeFirst: FreeFirst<Wish, Taken>;

  constructor(
    private readonly change: ChangePayout,
    private readonly payees: PayeeReads,
    private readonly jobs: Jobs,
    private readonly rails: Rails,
    private readonly clock: DatabaseClock,
  ) {
    this.freeFirst = new FreeFirst(
      { free: (wishes) => this.takeFree(wishes), waiting: (wishes) => this.takeAll(wishes) },
      { laneOf: clientOf, slots: change.waiting },
    );
  }

  take(wish: Wish): Promise<Taken> {
    return this.freeFirst.run(wish, this.batcher);
  }

  private async takeAll(wishes: Wish[]): Promise<Taken[]> {
    const outcomes = await this.outcomes(wishes, (ids, decide) => this.change.all(ids, decide));
    return outcomes.map((outcome, place) => {
      if (!outcome) throw goneMeanwhile(`Payout ${wishes[place]?.seen.id}`);
      return outcome;
    });
  }

  private async takeFree(wishes: Wish[]): Promise<(Taken | 'busy')[]> {
    const outcomes = await this.outcomes(wishes, (ids, decide) => this.change.allFree(ids, decide));
    return outcomes.map((outcome) => outcome ?? 'busy');
  }

  /** In order; null for those that were not locked. */
  private async outcomes(wishes: Wish[], change: ChangePayout['all']): Promise<(Taken | null)[]> {
    const taken = new Set<Wish>();
    const unread = new Set<Wish>();
    const payouts = await change([...new Set(wishes.map(({ seen }) => seen.id))], async (locked) => {
      for (const wished of [taken, unread]) wished.clear(); // a transaction that gave way starts anew
      const held = await this.jobs.stillHeld(wishes.map(({ job }) => job));
      const due = locked.flatMap((payout) => {
        // Of two jobs of one payout, which may come together, one at most has its lease.
        const wish = wishes.find(({ seen, job }) => isAsSeen(payout, seen) && held.has(job.leaseToken));
        return wish ? [{ payout, wish }] : [];
      });
      const looks = await this.payees.lastLook(due.map(({ payout }) => payout));
      return due.flatMap(({ payout, wish }) => {
        const look = looks.get(payout.id);
        if (!wish.isAccountRead && hasUnreadAccount(payout, look)) {
          unread.add(wish);
          return [];
        }
        const change = this.next(payout, wish, look);
        if (change && change.after.attempt > payout.attempt) taken.add(wish);
        return change ?? [];
      });
    });
    const byId = new Map(payouts.map((payout) => [payout.id, payout]));
    return wishes.map((wish) => {
      const payout = byId.get(wish.seen.id);
      return payout ? { payout, taken: taken.has(wish), isUnread: unread.has(wish) } : null;
    });
  }

  /** null: it stays as it is for now. */
  private next(payout: Payout, wish: Wish, look: LastLook | undefined): PayoutChange | null {
    const change = changeOf(payout);
    if (!payout.provider) return payout.status === 'authorized' ? withStep(change, LOST_PROVIDER) : null;
    const leg = payout.sentElsewhere ? null : legToSend(payout);
    if (leg) return this.nextCall(payout, wish.clearance, leg, look);
    if (!look || payout.status === 'paid' || look.clientStatus === 'suspended') return null;
    return this.firstCall(payout, wish, look);
  }

  private firstCall(payout: Payout, { clearance, isRefused }: Wish, look: LastLook): PayoutChange | null {
    const earliest = this.clock.earliest();
    const change = changeOf(payout);
    const isHonoured = isCodeHonoured(payout, this.rails.traits(payout.provider), this.clock.now());
    if (!isHonoured && isAtItsRail(payout)) return null;
    const blocker = firstCallBlocker(payout, look, isHonoured);
    // A call that may still be under way decides what becomes of the payout, whatever stands in the way of another.
    if (blocker) return underWay(payout.openAttempts, earliest).length > 0 ? null : keptBack(change, blocker);
    if (!clearance.isClear || this.waitsForRail(payout, look)) return null;
    // It waited here for its payout, or its process stood still.
    if (isOldClearance(clearance, this.clock.now())) return null;
    const submitted = payout.status === 'authorized' ? withStep(change, submission('system')) : change;
    return withAttempt(submitted, earliest, isRefused);
  }

  /** If its payee became somebody else after they began it, it goes back to the person they are now, even while the rail or an operator stops the call. */
  private nextCall(payout: Payout, clearance: Clearance, leg: Leg, look: LastLook | undefined): PayoutChange | null {
    if (!look || look.disputed) return null;
    const back = unbegunByAnother(payout, look.changedAt);
    if (back) return back;
    const change = withFacts(changeOf(payout), { legs: legsWishedAt(payout, clearance.askedAt) });
    const takes = this.takesLeg(change.after, legToSend(change.after) ?? leg, look);
    return takes ? withAttempt(change, this.clock.earliest()) : null;
  }

  /** Its money has left already: it is brought to its end, whoever was suspended or closed since, and whatever was blocked but for one case. */
  private takesLeg(payout: Payout, leg: Leg, look: LastLook): boolean {
    // Where its first call went is known, and so is its rail.
    if (this.waitsForRail({ ...payout, consolidates: false }, look)) return false;
    // Money that a payee began may wait where it is; money that was sent once may be there already.
    if (isBlocked(look) && leg.destination !== undefined && !mayHaveLeft(leg)) return false;
    if (secondsUntilDue(leg, this.clock.earliest()) > 0 || isOldWish(payout, leg, this.clock.now())) return false;
    return isLegHonoured(leg, this.rails.traits(payout.provider), this.clock.now());
  }

  /** Nothing is sent to it now, or it may have paid something since a backup was made, and not know it again. */
  private waitsForRail(payout: Payout, look: LastLook): boolean {
    return look.laneClosed || this.rails.mayHaveMoved(payout, look);
  }
}

const clientOf = ({ seen }: Wish): string => seen.clientId;

/** A payout that is to be sent, or was sent and never arrived, and that nobody else took on meanwhile. */
const isAsSeen = (payout: Payout, seen: Payout): boolean => isUnderWay(payout) && isAsAsked(payout, seen);
