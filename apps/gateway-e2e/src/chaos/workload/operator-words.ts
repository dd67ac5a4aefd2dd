/** What the operator says now and then, written down as it is asked and as it is answered. */
import type { Caller } from './caller';
import { CURRENCY, type Model, type Party, type Payee } from './model';

export interface OperatorWords {
  block(payee: Payee, blocked: boolean): Promise<void>;
  suspend(party: Party, suspended: boolean): Promise<void>;
  deposit(party: Party, amountCents: number, reference: string): Promise<void>;
  giveUp(payee: Payee, payoutId: string): Promise<number>;
}

export function operatorWords(caller: Caller, model: Model): OperatorWords {
  return {
    block: async (payee, blocked) => {
      const answered = model.spell(model.blocks, payee, blocked);
      const what = blocked ? 'block' : 'lift the block';
      answered(
        await caller.asOperator({ method: 'PATCH', path: `/payees/${payee.id}`, body: { blocked }, payee, what }),
      );
    },
    suspend: async (party, suspended) => {
      const answered = model.spell(model.suspensions, party, suspended);
      const body = { status: suspended ? 'suspended' : 'active' };
      const what = `${party.name} ${body.status}`;
      answered(await caller.asOperator({ method: 'PATCH', path: `/clients/${party.id}`, body, what }));
    },
    deposit: async (party, amountCents, reference) => {
      const body = { type: 'deposit', currency: CURRENCY, amountCents, reference };
      const path = `/clients/${party.id}/wallet/entries`;
      await caller.asOperator({ method: 'POST', path, body, what: `deposit ${amountCents}` });
      model.deposits.set(reference, { party, amountCents });
    },
    giveUp: async (payee, payoutId) => {
      const what = `operator fails ${payoutId}`;
      const request = { method: 'POST', path: `/payouts/${payoutId}/fail`, body: {}, payee, what };
      return (await caller.asOperator(request)).status;
    },
  };
}
