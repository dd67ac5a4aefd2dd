/**
 * Links a rail account that was verified elsewhere to a payee. The caller's own word about it does not count: the rail is asked, outside
 * of any transaction, and the payee's state is set from its answer.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { PayeeReads } from '../db/payee.reads';
import { LinkAccount, type Linked, type NamedAccount } from './link-account';
import { ReadAccount } from './read-account';

@Injectable()
export class AdoptMethod {
  constructor(
    private readonly payees: PayeeReads,
    private readonly accounts: ReadAccount,
    private readonly links: LinkAccount,
  ) {}

  async run(client: Client, payeeId: string, named: NamedAccount): Promise<Linked> {
    const payee = await this.payees.find(client.id, payeeId);
    if (!payee) throw new Refusal('payee_not_found');
    await this.links.refuseWhileCooling(client, payee, named);
    const confirmed = await this.accounts.confirmed(client, named);
    if (!confirmed) throw unverifiable();
    return this.links.run(client, payeeId, named, confirmed, { overOthers: true });
  }
}

const unverifiable = (): Refusal =>
  new Refusal('account_unverifiable', 'The rail cannot confirm this account. Check the id, or try again later.');
