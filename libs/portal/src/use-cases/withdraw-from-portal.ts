/** The payee's own withdrawal of everything that is owed: the same gates, locks and rows as one that their client asks for. */
import { Injectable } from '@nestjs/common';
import { type ErrorCode, Refusal } from '#libs/domain';
import { type Balance, BalanceBook } from '#libs/balances';
import { DatabaseClock } from '#libs/db';
import { ForeseeWithdrawal, type WithdrawOutlook } from '#libs/disbursements';
import { PayoutReads } from '#libs/payouts';
import { PageWithdrawals } from './page-withdrawals';
import { withdrawableOf } from './read-wallet';
import type { Visitor } from './visit-portal';
import { NOTHING, sumsOf, wordFor } from './what-is-confirmed';

export type Withdrawn =
  | { kind: 'withdrawn'; went: 'all' | 'some' | 'none' }
  /** It is another sum or account by now than they said yes to, or the wallet has closed. */
  | { kind: 'changed' }
  /** `outlook`: when, or with how much, they could. */
  | { kind: 'refused'; code: ErrorCode; outlook: WithdrawOutlook; balances: Balance[] };

/** The refusals that a second tap gets after the first withdrew everything. */
const OF_SECOND_TAP: readonly ErrorCode[] = ['nothing_to_withdraw', 'withdrawal_frequency_limited'];
const JUST_NOW_MS = 120_000;
/** One for each currency, and some that came since. */
const LATEST = 10;

@Injectable()
export class WithdrawFromPortal {
  constructor(
    private readonly withdrawals: PageWithdrawals,
    private readonly payouts: PayoutReads,
    private readonly balances: BalanceBook,
    private readonly clock: DatabaseClock,
    private readonly foresee: ForeseeWithdrawal,
  ) {}

  /** `shown`: the word for what they said yes to. */
  async run(visitor: Visitor, shown: unknown): Promise<Withdrawn> {
    const { client, payee } = visitor;
    // A request that its client may not make is not made from the client's pages either.
    if (client.status !== 'active') return this.refused(visitor, 'client_suspended');
    const [balances, goesTo] = [await this.balances.allOf(payee.id), await this.withdrawals.goesTo(visitor)];
    // What is credited from now on they were not shown, and neither where it would go.
    if (sumsOf(balances) === NOTHING) return this.refusedUnlessDone(visitor, 'nothing_to_withdraw');
    if (wordFor(visitor.session, { balances, goesTo }) !== shown) return { kind: 'changed' };
    try {
      const { awaitingFunding, payouts } = await this.withdrawals.of(visitor);
      return { kind: 'withdrawn', went: awaitingFunding === 0 ? 'all' : payouts.length > 0 ? 'some' : 'none' };
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.status >= 500) throw thrown;
      if (thrown.code === 'illegal_transition') return { kind: 'changed' };
      return this.refusedUnlessDone(visitor, thrown.code);
    }
  }

  /** A second tap is told what became of the first. */
  private async refusedUnlessDone(visitor: Visitor, code: ErrorCode): Promise<Withdrawn> {
    const isDone = OF_SECOND_TAP.includes(code) && (await this.withdrewAllJustNow(visitor));
    return isDone ? { kind: 'withdrawn', went: 'all' } : this.refused(visitor, code);
  }

  private async refused({ client, payee }: Visitor, code: ErrorCode): Promise<Withdrawn> {
    const balances = await this.balances.allOf(payee.id);
    const outlook = await this.foresee.run(client, payee, withdrawableOf(balances));
    return { kind: 'refused', code, outlook, balances };
  }

  private async withdrewAllJustNow({ client, payee }: Visitor): Promise<boolean> {
    if (sumsOf(await this.balances.allOf(payee.id)) !== NOTHING) return false;
    const newest = await this.payouts.list({ clientId: client.id, payeeId: payee.id }, LATEST);
    const since = this.clock.now().getTime() - JUST_NOW_MS;
    return newest.some(({ source, createdAt }) => source === 'portal' && createdAt.getTime() >= since);
  }
}
