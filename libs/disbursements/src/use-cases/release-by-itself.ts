/** When owed money leaves by itself, as the traits of the payee's rail have it: on credit, or when the payee becomes payable. */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/auth';
import { PayeeReads } from '#libs/payees';
import { Rails } from '#libs/rail-registry';
import { DisbursementReads } from '../db/disbursement.reads';
import { ReleaseOwed } from './release-owed';

/** Payees of one client that are looked at when its funds come; those that are left have the next turn. */
const AT_A_TIME = 500;

@Injectable()
export class ReleaseByItself {
  constructor(
    private readonly payees: PayeeReads,
    private readonly clients: ClientRegistry,
    private readonly rails: Rails,
    private readonly reads: DisbursementReads,
    private readonly owed: ReleaseOwed,
  ) {}

  /** After a credit, or after the payee became payable. Returns when to come back, where it is too early. */
  async ofPayee(payeeId: string): Promise<Date | null> {
    const payee = await this.payees.findAny(payeeId);
    const timing = this.rails.traits(payee?.provider ?? null)?.releasesOwed ?? 'on_withdraw';
    if (!payee || timing === 'on_withdraw') return null;
    const known = await this.clients.byId(payee.clientId);
    if (known?.client.status !== 'active') return null;
    const until = this.owed.waitsUntil(known.client, payee);
    if (until === null) await this.owed.byItself(known.client, payeeId);
    return until;
  }

  /** A wallet got funds: what was credited before, and not covered, goes on. */
  async ofClient(clientId: string): Promise<void> {
    const onCredit = this.rails
      .all()
      .flatMap(({ definition: { name, traits } }) => (traits.releasesOwed === 'on_credit' ? [name] : []));
    for (const payeeId of await this.reads.waitingForFunds(clientId, onCredit, AT_A_TIME)) await this.ofPayee(payeeId);
  }
}
