/** Decides whether an account is to be opened for a payee, and at which rail, and keeps the key before the rail is asked. */
import { Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { opensAccounts } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { accountKeyOf } from '../account-key';
import { type AccountOpening, OpeningStore } from '../db/opening.store';
import { PayeeStore } from '../db/payee.store';
import type { Payee } from '../payee';
import { PayeeRouting } from '../payee-routing';
import { isStillFor, type Linked } from './link-account';
import { PayeeTurns } from './payee-turns';

export type Begun =
  | { kind: 'opening'; opening: AccountOpening }
  /** The payee has an account already. */
  | ({ kind: 'account' } & Linked)
  | { kind: 'refused'; reason: string };

@Injectable()
export class BeginOpening {
  constructor(
    private readonly turns: PayeeTurns,
    private readonly payees: PayeeStore,
    private readonly openings: OpeningStore,
    private readonly routing: PayeeRouting,
    private readonly rails: Rails,
  ) {}

  /** Under the payee's lock: of two requests that cross the second finds the opening of the first. */
  run(client: Client, payeeId: string): Promise<Begun> {
    return this.turns.inTransaction(payeeId, async () => {
      const payee = await this.payees.lock(client.id, payeeId);
      if (!payee) throw new Refusal('payee_not_found');
      if (payee.blocked) return { kind: 'refused', reason: 'the payee is blocked' };
      const facts = await this.routing.facts(client, payee);
      // A link to the provider's pages leads to the account, be it new or not: it could redirect the payee's money.
      await this.routing.refuseWhileCooling(client, payee);
      if (facts.method) return { kind: 'account', method: facts.method, payee };
      const provider = this.routing.railOf(facts);
      const obstacle = this.obstacle(this.routing.resolved(facts), provider);
      if (provider === null || obstacle) return { kind: 'refused', reason: obstacle ?? 'no rail' };
      return { kind: 'opening', opening: await this.opening(client, payee, provider) };
    });
  }

  private obstacle(payee: Payee, provider: string | null): string | null {
    // On a custody-free rail, or in test mode after the onboarding was ended by hand: a new account would undo that.
    if (payee.payable) return 'the payee can be paid already';
    if (provider === null) return 'no rail serves the payee';
    const rail = this.rails.find(provider)?.rail;
    if (!rail) return `rail ${provider} is not configured in this deployment`;
    return opensAccounts(rail) ? null : `rail ${provider} opens no accounts`;
  }

  /**
   * After a final refusal the next call has another key, because the payee's details may have changed. So it has if they did: under the
   * same one the rail goes on with who they were.
   */
  private async opening(client: Client, payee: Payee, provider: string): Promise<AccountOpening> {
    const { id: payeeId, externalId, email, name, country } = payee;
    const { id: clientId, testMode } = client;
    const last = await this.openings.last({ payeeId, provider, testMode });
    if (last?.refusal === null) {
      if (isStillFor(payee, last.asked)) return last;
      await this.openings.leave(last.id, 'it was asked for before the payee changed');
    }
    const number = (last?.number ?? 0) + 1;
    return this.openings.add({
      ...{ id: newId(), clientId, payeeId, provider, testMode, number },
      key: accountKeyOf(this.rails.deployment, { clientId, externalId }, provider, number),
      asked: { id: payeeId, externalId, email, name, country },
    });
  }
}
