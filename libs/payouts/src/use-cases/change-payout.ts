/**
 * The one way payouts come to be and change: in one transaction, locked in one order (payees, then payouts, then wallets),
 * written by the store, and with the jobs that see to what follows.
 */
import { Injectable } from '@nestjs/common';
import { FairSlots } from '#libs/batcher';
import { Db, goneMeanwhile } from '#libs/db';
import { type FreePayees, type LockedPayees, LockPayees, type Room } from '#libs/payees';
import { type Finding, foundOut, foundPaid, type Payout, type PayoutChange, stopped } from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { PayoutStore, type SaidNo } from '../db/payout.store';
import { PayoutJobs } from './payout-jobs';

/** Clients of which something waits for a row, and how much of one client's. */
const WAITING = { atOnce: 6, perLane: 2 };

type Decide = (payouts: Payout[]) => Promise<PayoutChange[]> | PayoutChange[];

@Injectable()
export class ChangePayout {
  /** A change that waits for a lock keeps a connection meanwhile: all that wait beside shared work use these. */
  readonly waiting = new FairSlots(WAITING);

  constructor(
    private readonly db: Db,
    private readonly payees: LockPayees,
    private readonly reads: PayoutReads,
    private readonly store: PayoutStore,
    private readonly jobs: PayoutJobs,
  ) {}

  /** Holds the locks of payees: no other payout of theirs passes its gates meanwhile. */
  withPayees<T>(payeeIds: string[], work: (payees: LockedPayees) => Promise<T>): Promise<T> {
    return this.payees.with(payeeIds, work);
  }

  /** The same for work that looks at more at once: see LockPayees. */
  lockingPayees<T>(payeeIds: string[], work: (locking: Promise<LockedPayees>) => Promise<T>): Promise<T> {
    return this.payees.locking(payeeIds, work);
  }

  /** Without waiting for payees that somebody else holds: who is one of many must not keep the others. */
  lockingFreePayees<T>(payeeIds: string[], work: (locking: Promise<FreePayees>) => Promise<T>): Promise<T> {
    return this.payees.lockingFree(payeeIds, work);
  }

  /** One payee, in a room that others wait for too: whatever somebody holds for long is waited for outside, until `locked`. */
  withPayeeInRoom<T>(
    payeeId: string,
    room: Room,
    work: (payees: LockedPayees, locked: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    return this.payees.inRoom(payeeId, room, work);
  }

  /**
   * Work that makes payouts of these ids: they are looked up if nobody knows whether it was committed. A caller that finds them this way
   * sends none of them, because a job may be at it by then.
   */
  foundAgain(work: () => Promise<Payout[]>, ids: () => string[]): Promise<{ payouts: Payout[]; isFound: boolean }> {
    const made = async (): Promise<{ payouts: Payout[]; isFound: boolean }> => ({
      payouts: await work(),
      isFound: false,
    });
    return this.db.foundAgain(made, async () => {
      const payouts = await this.reads.findAll(ids());
      return payouts.length > 0 ? { payouts, isFound: true } : null;
    });
  }

  async insert(changes: PayoutChange[]): Promise<Payout[]> {
    if (changes.length === 0) return [];
    const created = await this.store.insert(this.jobs.withOwnSends(changes));
    await this.jobs.schedule(created);
    return created;
  }

  /** Changes payouts that the caller's transaction locked. What goes to a rail is sent by a worker, or by the caller: never by both. */
  async update(changes: PayoutChange[], sentByCaller: Set<string> = new Set()): Promise<Payout[]> {
    if (changes.length === 0) return [];
    const mine = changes.filter(({ after }) => sentByCaller.has(after.id));
    const others = changes.filter(({ after }) => !sentByCaller.has(after.id));
    const changed = await this.store.update([...this.jobs.withOwnSends(mine), ...others]);
    await this.jobs.schedule(changed);
    return changed;
  }

  /** The money of a payout that the caller's transaction locked arrived, an operator says; false if it ended for good. */
  async foundPaid(payout: Payout, providerRef: string | null): Promise<boolean> {
    const change = foundPaid(payout, providerRef);
    if (change) await this.update([change]);
    return change !== null;
  }

  /** An operator's finding about one that ended for good, and that the caller's transaction locked: its trail, and an event. */
  async foundOut(payout: Payout, finding: Finding): Promise<void> {
    await this.update([foundOut(payout, finding)]);
  }

  /** Those of them that could still go on do not: what is held, or failed for now, or was never sent. */
  async giveUp(
    payoutIds: string[],
    why: string,
    { which = () => true, neverSeen = false }: { which?: (payout: Payout) => boolean; neverSeen?: boolean } = {},
  ): Promise<void> {
    await this.all([...new Set(payoutIds)], (payouts) =>
      payouts.filter(which).flatMap((payout) => stopped(payout, why, neverSeen) ?? []),
    );
  }

  /** Waits for whoever changes them; part of the caller's transaction, which then knows where their rows are. */
  lock(payoutIds: string[]): Promise<Payout[]> {
    return this.reads.lockAll([...new Set(payoutIds)]);
  }

  /** Their rails said that nothing moved; the caller's transaction holds their locks. */
  clear(nos: SaidNo[]): Promise<void> {
    return this.store.clear(nos);
  }

  /** Rows of theirs went on to another payout; the caller's transaction holds the locks of what may have been sent. */
  supersede(payoutIds: string[], by: string): Promise<void> {
    return this.store.supersede(payoutIds, by);
  }

  /** Of payouts that the caller's transaction holds: their rails are asked soon, if they were ever sent. */
  async askAbout(payoutIds: string[]): Promise<void> {
    const payouts = await this.reads.lockAll(payoutIds);
    for (const payout of payouts) if (payout.submittedAt !== null) await this.jobs.look(payout);
  }

  /** Changes one payout, whose send is the caller's; null from `decide` leaves it as it is. */
  async one(
    payoutId: string,
    decide: (payout: Payout) => Promise<PayoutChange | null> | PayoutChange | null,
  ): Promise<Payout> {
    const [payout] = await this.all([payoutId], async ([locked]) => {
      const change = locked && (await decide(locked));
      return change ? this.jobs.withOwnSends([change]) : [];
    });
    if (!payout) throw goneMeanwhile(`Payout ${payoutId}`);
    return payout;
  }

  /** Changes some of these payouts; answers all of them, as they now stand and in the order of their ids. */
  all(payoutIds: string[], decide: Decide): Promise<Payout[]> {
    return this.db.inTransaction(async () => {
      const payouts = await this.reads.lockAll(payoutIds);
      return this.written(payouts, await decide(payouts));
    });
  }

  /** The same without waiting: those that somebody else holds, or whose wallets are held, stay as they are, and are missing. */
  allFree(payoutIds: string[], decide: Decide): Promise<Payout[]> {
    return this.db.inTransaction(async () => {
      const payouts = await this.reads.lockFree(payoutIds);
      const changes = await decide(payouts);
      const free = await this.store.lockFreeWallets(changes);
      const busy = new Set(changes.filter((change) => !free.includes(change)).map(({ after }) => after.id));
      return this.written(
        payouts.filter(({ id }) => !busy.has(id)),
        free,
      );
    });
  }

  private async written(payouts: Payout[], changes: PayoutChange[]): Promise<Payout[]> {
    if (changes.length === 0) return payouts;
    const changed = new Map((await this.store.update(changes)).map((payout) => [payout.id, payout]));
    await this.jobs.schedule([...changed.values()]);
    return payouts.map((payout) => changed.get(payout.id) ?? payout);
  }
}
