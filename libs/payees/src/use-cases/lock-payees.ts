/** Transactions that hold payees: no other payout of theirs passes its gates meanwhile. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { PayeeStore } from '../db/payee.store';
import type { Payee } from '../payee';
import { PayeeTurns, type Room } from './payee-turns';

export type LockedPayees = Map<string, Payee>;

/** `busy`: somebody else holds them. */
export interface FreePayees {
  payees: LockedPayees;
  busy: Set<string>;
}

@Injectable()
export class LockPayees {
  constructor(
    private readonly db: Db,
    private readonly payees: PayeeStore,
    private readonly turns: PayeeTurns,
  ) {}

  /** Waits for whoever holds them: in memory for one, in the order of ids for several. */
  with<T>(payeeIds: string[], work: (payees: LockedPayees) => Promise<T>): Promise<T> {
    return this.locking(payeeIds, async (locking) => work(await locking));
  }

  /** The same for work that asks for more at once: what it asks leaves behind the locks, and is answered after them. */
  locking<T>(payeeIds: string[], work: (locking: Promise<LockedPayees>) => Promise<T>): Promise<T> {
    const ids = [...new Set(payeeIds)];
    const locked = (): Promise<T> => work(this.payees.lockAll(ids).then(byId));
    const [only] = ids;
    return only && ids.length === 1 ? this.turns.inTransaction(only, locked) : this.db.inTransaction(locked);
  }

  /** Part of the caller's transaction. */
  async hold(payeeId: string): Promise<void> {
    await this.payees.lockAll([payeeId]);
  }

  /**
   * One, in a room that many wait for: see PayeeTurns. Until `locked` is called the transaction waits only a moment for
   * whatever it locks.
   */
  inRoom<T>(
    payeeId: string,
    room: Room,
    work: (payees: LockedPayees, locked: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    return this.turns.inRoom(payeeId, room, async () =>
      work(byId(await this.payees.lockAll([payeeId])), () => this.db.waitsAsUsual()),
    );
  }

  /** Without waiting: one request of a batch must not delay the others. */
  lockingFree<T>(payeeIds: string[], work: (locking: Promise<FreePayees>) => Promise<T>): Promise<T> {
    return this.db.inTransaction(() =>
      work(
        this.payees
          .lockFree([...new Set(payeeIds)])
          .then(({ free, busy }) => ({ payees: byId(free), busy: new Set(busy) })),
      ),
    );
  }
}

const byId = (payees: Payee[]): LockedPayees => new Map(payees.map((payee) => [payee.id, payee]));
