/** What follows a credit, in the same transaction: the balance, the release by itself, and the mail. */
import { Injectable } from '@nestjs/common';
import { type BalanceMove, BalanceBook } from '#libs/balances';
import type { Client } from '#libs/clients';
import { Jobs } from '#libs/jobs';
import { type Payee, PayeeReads } from '#libs/payees';
import { Rails } from '#libs/rail-registry';
import type { TargetedPush } from '../push';
import { MailWaitingMoney } from './mail-waiting-money';

@Injectable()
export class FollowCredit {
  constructor(
    private readonly balances: BalanceBook,
    private readonly payees: PayeeReads,
    private readonly rails: Rails,
    private readonly jobs: Jobs,
    private readonly mails: MailWaitingMoney,
  ) {}

  async tell(client: Client, rows: TargetedPush[], sendEmail: boolean): Promise<void> {
    const ids = [...new Set(rows.map(({ payeeId }) => payeeId))];
    const kept = await this.payees.keptAsTheyAre(client.id, ids);
    // Before they are read: of who is being changed now the old address may be what is read.
    const unseenSince = sendEmail && kept.size < ids.length ? await this.payees.unseenSince() : null;
    const payees = await this.payees.all(client.id, ids);
    await this.releaseAtOnce(client, payees, kept);
    if (sendEmail) await this.mails.to(client, payees, rows, ({ id }) => (kept.has(id) ? null : unseenSince));
    await this.balances.move(rows.map(credit));
  }

  /**
   * A payee who is being changed now may become payable, and whoever changes them cannot see these rows yet: so it is decided once both are
   * there. On a rail that pays owed money when its payee becomes payable, a credit to a payable payee has no consequence.
   */
  private releaseAtOnce(client: Client, payees: Payee[], kept: Set<string>): Promise<void> {
    const due = payees.filter(({ id, payable, provider }) => {
      const timing = this.rails.traits(provider)?.releasesOwed;
      return payable ? timing === 'on_credit' : !kept.has(id);
    });
    return this.jobs.add(due.map(({ id }) => ({ name: 'owed.release', entityId: id, lane: client.id })));
  }
}

function credit({ payeeId, currency, amountCents }: TargetedPush): BalanceMove {
  return { payeeId, currency, cents: amountCents, to: 'withdrawableCents' };
}
