/** Tells payees by mail what a push made them owed, with the link that leads to their wallet by one more mail. */
import { Injectable } from '@nestjs/common';
import { WalletLinks } from '#libs/claim-links';
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { MailOutbox, moneyWaiting, type NewMail } from '#libs/mail';
import type { Payee } from '#libs/payees';
import type { TargetedPush } from '../push';

@Injectable()
export class MailWaitingMoney {
  constructor(
    private readonly mails: MailOutbox,
    private readonly links: WalletLinks,
    private readonly clock: DatabaseClock,
  ) {}

  /** One mail for each payee with an address, about all that this call made. */
  async to(client: Client, payees: Payee[], rows: TargetedPush[]): Promise<void> {
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
      brand: client.brand,
    });
    // The first row is new in this call: no other call can write about it.
    const cause = `${client.id} ${rows[0]?.externalRef}`;
    const link = this.links.linkTo({ clientId: client.id, payeeId: payee.id }, payee.createdAt, this.clock.now());
    return { ...letter, clientId: client.id, kind: 'money_waiting', cause, to, link };
  }
}

function sumsOf(rows: TargetedPush[]): { currency: string; cents: number }[] {
  const sums = new Map<string, number>();
  for (const { currency, amountCents } of rows) sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  return [...sums].map(([currency, cents]) => ({ currency, cents }));
}
