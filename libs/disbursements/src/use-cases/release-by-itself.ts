/** When owed money leaves by itself, as the traits of the payee's rail have it: on credit, or when the payee becomes payable. */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { PayeeReads } from '#libs/payees';
import { ReleaseOwed } from './release-owed';

/** News of a client that is active again comes sooner. */
const WHILE_SUSPENDED_MS = 300_000;

@Injectable()
export class ReleaseByItself {
  constructor(
    private readonly payees: PayeeReads,
    private readonly clients: ClientRegistry,
    private readonly owed: ReleaseOwed,
    private readonly clock: DatabaseClock,
  ) {}

  /** After a credit, or after the payee became payable. Returns when to come back, if it is too early. */
  async ofPayee(payeeId: string): Promise<Date | null> {
    const payee = await this.payees.findAny(payeeId);
    if (!payee || !this.owed.leavesByItself(payee)) return null;
    // Read as stored: a job that is put off by outdated settings stays put off, because the news of the change has passed by then.
    const client = await this.clients.stored(payee.clientId);
    if (!client || client.status === 'closed') return null;
    if (client.status === 'suspended') return new Date(this.clock.now().getTime() + WHILE_SUSPENDED_MS);
    const until = this.owed.waitsUntil(client, payee);
    if (until !== null) return until;
    const { more } = await this.owed.byItself(client, payeeId);
    return more ? this.clock.now() : null;
  }
}
