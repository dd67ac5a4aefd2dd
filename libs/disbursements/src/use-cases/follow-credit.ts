/** What follows a credit, in the same transaction: the balance, the release by itself, and the mail. */
import { Injectable } from '@nestjs/common';
import { type BalanceMove, BalanceBook } from '#libs/balances';
import { WalletLinks } from '#libs/claim-links';
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { Jobs } from '#libs/jobs';
import { MailOutbox, moneyWaiting, type NewMail } from '#libs/mail';
import { type Payee, PayeeReads } from '#libs/payees';
import { Rails } from '#libs/rail-registry';
import type { TargetedPush } from '../push';

@Injectable()
export class FollowCredit {
  constructor(
    private readonly balances: BalanceBook,
    private readonly payees: PayeeReads,
    private readonly rails: Rails,
    private readonly jobs: Jobs,
    private readonly mails: MailOutbox,
    private readonly links: WalletLinks,
    private readonly clock: DatabaseClock,
  ) {}

  async tell(client: Client, rows: TargetedPush[], sendEmail: boolean): Promise<void> {
    const ids = [...new Set(rows.map(({ payeeId }) => payeeId))];
    const kept = await this.payees.keptAsTheyAre(client.id, ids);
    const payees = await this.payees.all(client.id, ids);
    await this.releaseAtOnce(client, payees, kept);
    if (sendEmail) await this.writeTo(client, payees, rows);
    await this.balances.move(rows.map(credit));
  }

  /**
   * Who is being changed now may become payable, and whoever does that cannot see these rows yet: it is decided once both
   * are there. On a rail that pays who becomes payable nothing follows from a credit to somebody who is.
   */
  private releaseAtOnce(client: Client, payees: Payee[], kept: Set<string>): Promise<void> {
    const due = payees.filter(({ id, payable, provider }) => {
      const timing = this.rails.traits(provider)?.releasesOwed;
      return payable ? timing === 'on_credit' : !kept.has(id);
    });
    return this.jobs.add(due.map(({ id }) => ({ name: 'owed.release', entityId: id, lane: client.id })));
  }

  /** One mail for each payee with an address, about all that this call made. */
  private async writeTo(client: Client, payees: Payee[], rows: TargetedPush[]): Promise<void> {
    const rowsOf = new Map<string, TargetedPush[]>(payees.map(({ id }) => [id, []]));
    for (const row of rows) rowsOf.get(row.payeeId)?.push(row);
    const mails = payees.flatMap((payee) =>
      payee.email === null ? [] : [this.mailTo(client, payee, payee.email, rowsOf.get(payee.id) ?? [])],
    );
    await this.mails.queue(mails);
  }

  private mailTo(client: Client, payee: Payee, to: string, rows: TargetedPush[]): NewMail {
    const letter = moneyWaiting({
      clientName: client.brand.name ?? client.name,
      payeeName: payee.name,
      amounts: sumsOf(rows),
      locales: [payee.locale, client.locale],
    });
    // The first row is new in this call: no other call can write about it.
    const cause = `${client.id} ${rows[0]?.externalRef}`;
    const link = this.links.linkTo({ clientId: client.id, payeeId: payee.id, madeAt: this.clock.now() });
    return { ...letter, clientId: client.id, kind: 'money_waiting', cause, to, link };
  }
}

function credit({ payeeId, currency, amountCents }: TargetedPush): BalanceMove {
  return { payeeId, currency, cents: amountCents, to: 'withdrawableCents' };
}

function sumsOf(rows: TargetedPush[]): { currency: string; cents: number }[] {
  const sums = new Map<string, number>();
  for (const { currency, amountCents } of rows) sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  return [...sums].map(([currency, cents]) => ({ currency, cents }));
}
