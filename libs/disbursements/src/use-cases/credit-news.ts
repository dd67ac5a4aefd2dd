/** What follows when money becomes owed, in the same transaction: the balance, the release by itself, and the mail. */
import { Injectable } from '@nestjs/common';
import { type BalanceMove, BalanceBook } from '#libs/balances';
import type { Client } from '#libs/auth';
import { Jobs } from '#libs/jobs';
import { type Payee, PayeeReads } from '#libs/payees';
import { Rails } from '#libs/rail-registry';
import type { TargetedPush } from './push-disbursements';

@Injectable()
export class CreditNews {
  constructor(
    private readonly balances: BalanceBook,
    private readonly payees: PayeeReads,
    private readonly rails: Rails,
    private readonly jobs: Jobs,
  ) {}

  async tell(client: Client, rows: TargetedPush[], sendEmail: boolean): Promise<void> {
    const payees = await this.payees.all(client.id, [...new Set(rows.map(({ payeeId }) => payeeId))]);
    await this.releaseAtOnce(client, payees);
    void sendEmail;
    await this.balances.move(rows.map(credit));
  }

  private releaseAtOnce(client: Client, payees: Payee[]): Promise<void> {
    const due = payees.filter(
      ({ payable, provider }) => payable && this.rails.traits(provider)?.releasesOwed === 'on_credit',
    );
    return this.jobs.add(due.map(({ id }) => ({ name: 'owed.release', entityId: id, lane: client.id })));
  }
}

function credit({ payeeId, currency, amountCents }: TargetedPush): BalanceMove {
  return { payeeId, currency, cents: amountCents, to: 'withdrawableCents' };
}
