/** The payee's own withdrawal of everything that is owed: the same gates, locks and rows as one that their client asks for. */
import { Injectable } from '@nestjs/common';
import { type ErrorCode, Refusal } from '#libs/domain';
import { ReleaseOwed } from '#libs/disbursements';
import type { Visitor } from './visit-portal';

export type Withdrawn = { kind: 'withdrawn'; isAll: boolean } | { kind: 'refused'; code: ErrorCode };

@Injectable()
export class WithdrawFromPortal {
  constructor(private readonly owed: ReleaseOwed) {}

  async run({ client, payee }: Visitor): Promise<Withdrawn> {
    // What the client may not ask for itself, its pages do not ask for either.
    if (client.status !== 'active') return { kind: 'refused', code: 'client_suspended' };
    try {
      const { awaitingFunding } = await this.owed.withdraw(client, payee.id, 'portal', 'payee');
      return { kind: 'withdrawn', isAll: awaitingFunding === 0 };
    } catch (thrown) {
      if (thrown instanceof Refusal && thrown.status < 500) return { kind: 'refused', code: thrown.code };
      throw thrown;
    }
  }
}
