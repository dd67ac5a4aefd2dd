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

  /**
   * One mail for each payee with an address, about all that this call made. `unseenSince`: a change of the payee may be written already that
   * cannot be seen yet, and is dated not before that; null if they stay as they are until this is committed.
   */
  async to(
    client: Client,
    payees: Payee[],
    rows: TargetedPush[],
    unseenSince: (payee: Payee) => Date | null,
  ): Promise<void> {
    const rowsOf = new Map<string, TargetedPush[]>(payees.map(({ id }) => [id, []]));
    for (const row of rows) rowsOf.get(row.payeeId)?.push(row);
    const mails = payees.flatMap((payee) =>
      payee.email === null
        ? []
        : [this.mailTo(client, { ...payee, email: payee.email }, rowsOf.get(payee.id) ?? [], unseenSince(payee))],
    );
    await this.mails.queue(mails);
  }

  private mailTo(
    client: Client,
    payee: Payee & { email: string },
    rows: TargetedPush[],
    unseenSince: Date | null,
  ): NewMail {
    const letter = moneyWaiting({
      clientName: client.brand.name ?? client.name,
      payeeName: payee.name,
      amounts: sumsOf(rows),
      locales: [payee.locale, client.locale],
      brand: client.brand,
    });
    // The first row is new in this call: no other call can write about it.
    const cause = `${client.id} ${rows[0]?.externalRef}`;
    const whose = { clientId: client.id, payeeId: payee.id };
    const link = this.links.linkTo(whose, payee.createdAt, this.madeAt(payee, unseenSince));
    return { ...letter, clientId: client.id, kind: 'money_waiting', cause, to: payee.email, link };
  }

  /**
   * Not later than a change that this mail does not know of, which ends the link; but after those that it does, for it goes to who they
   * are since. A change is dated by the latest that it can be, so this one by the earliest.
   */
  private madeAt({ emailChangedAt, identityChangedAt }: Payee, unseenSince: Date | null): Date {
    const afterChanges = [emailChangedAt, identityChangedAt].map((at) => (at === null ? 0 : at.getTime() + 1));
    return new Date(Math.max((unseenSince ?? this.clock.earliest()).getTime(), ...afterChanges));
  }
}

function sumsOf(rows: TargetedPush[]): { currency: string; cents: number }[] {
  const sums = new Map<string, number>();
  for (const { currency, amountCents } of rows) sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  return [...sums].map(([currency, cents]) => ({ currency, cents }));
}
