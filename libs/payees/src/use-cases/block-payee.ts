/** The operator's sanction on a payee, and its lifting. Payouts are held from now on; those that left are not called back. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { ClientRegistry } from '#libs/clients';
import { PayeeReads } from '../db/payee.reads';
import type { Payee } from '../payee';
import { ChangePayee } from './change-payee';

@Injectable()
export class BlockPayee {
  constructor(
    private readonly reads: PayeeReads,
    private readonly clients: ClientRegistry,
    private readonly change: ChangePayee,
  ) {}

  async run(payeeId: string, blocked: boolean, reason: string | null): Promise<{ before: Payee; after: Payee }> {
    const payee = await this.reads.findAny(payeeId);
    const known = payee && (await this.clients.byId(payee.clientId));
    if (!payee || !known) throw new Refusal('payee_not_found');
    let before = payee;
    const after = await this.change.locked(known.client, payeeId, (locked) => {
      before = locked;
      return { ...locked, blocked, blockReason: blocked ? reason : null };
    });
    return { before, after };
  }
}
