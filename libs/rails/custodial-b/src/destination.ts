/** Where at Adyen the money of a payout goes. Written down before the call that says so: a key may not be sent with other words. */
import { type RailCall, type RailOrder, type RailStore, type Refused, type SubmitAnswer } from '#libs/rail-kit';
import type { AdyenClient } from './adyen.client';
import type { AccountHolder } from './adyen.shapes';
import { codeOf, isAboutUs, isForbidden, isUnknownAccount, notNow, unanswered, unmapped } from './custodial-b.mapping';
import { instrumentOf, isPayable } from './standing';

// Types and not interfaces: only those are records of the store.
export type Destination = { balanceAccountId: string };
/** null: the money does not go to the bank any more. */
export type Instrument = { transferInstrumentId: string | null };

interface Parts {
  client: AdyenClient;
  store: RailStore;
}

/** Adyen answered with our key a moment ago, when it was asked for transfers, and does not about this account. */
export interface Forbidden {
  kind: 'forbidden';
  reason: string;
}

const NOT_PAYABLE = 'the account at Adyen cannot be paid now';
type Order = Pick<RailOrder, 'payoutId'> & { accountId: string };

/** The payee's balance account. Nothing was sent under this reference as long as none is written down: a no is definite then. */
export async function destinationFor(
  { payoutId, accountId }: Order,
  reference: string,
  { client, store }: Parts,
  call?: RailCall,
): Promise<Destination | SubmitAnswer> {
  const known = await store.read<Destination>(`to:${reference}`);
  if (known) return known;
  const holder = await holderOf(accountId, client, call);
  if ('kind' in holder) return holder.kind === 'forbidden' ? refused('account', holder.reason) : holder;
  const { primaryBalanceAccount: balanceAccountId } = holder;
  if (balanceAccountId === undefined || !isPayable(holder)) return refused('account', NOT_PAYABLE);
  const kept = await store.claimFor<Destination>(payoutId, `to:${reference}`, { balanceAccountId });
  return kept ?? { kind: 'unknown', detail: 'the payout is no more' };
}

/** The bank account that is good now, or the one that this call was made for. Whoever writes it first decides for all. */
export async function instrumentFor(
  { payoutId, accountId }: Order,
  key: string,
  { client, store }: Parts,
  call?: RailCall,
): Promise<Instrument | SubmitAnswer | Forbidden> {
  const known = await store.read<Instrument>(`instrument:${key}`);
  if (known) return known;
  const holder = await holderOf(accountId, client, call);
  const isGone = 'kind' in holder && holder.kind === 'refused' && holder.failure === 'account';
  if ('kind' in holder && !isGone) return holder;
  const transferInstrumentId = !('kind' in holder) && isPayable(holder) ? instrumentOf(holder) : null;
  return decided(payoutId, key, { transferInstrumentId }, store);
}

/** The money is to be pulled back: nobody makes this call any more, or it is made already. */
export const noInstrument = (payoutId: string, key: string, { store }: Parts): Promise<Instrument | SubmitAnswer> =>
  decided(payoutId, key, { transferInstrumentId: null }, store);

async function decided(
  payoutId: string,
  key: string,
  said: Instrument,
  store: RailStore,
): Promise<Instrument | SubmitAnswer> {
  const kept = await store.claimFor<Instrument>(payoutId, `instrument:${key}`, said);
  return kept ?? { kind: 'unknown', detail: 'the payout is no more' };
}

async function holderOf(
  accountId: string,
  client: AdyenClient,
  call?: RailCall,
): Promise<AccountHolder | Exclude<SubmitAnswer, { kind: 'settled' }> | Forbidden> {
  const answer = await client.accountHolder(accountId, call?.signal);
  if (answer.kind === 'done') return answer.found;
  if (answer.kind === 'later') return notNow(answer.afterSeconds);
  if (answer.kind === 'unclear') return unanswered(answer);
  if (isUnknownAccount(answer.status, answer.problem)) return refused('account', 'Adyen shows no such account');
  const code = codeOf(answer.problem);
  if (isForbidden(answer.status)) return { kind: 'forbidden', reason: `Adyen does not show us the account: ${code}` };
  return isAboutUs(answer.status) ? refused('credentials', `Adyen does not know us: ${code}`) : unmapped('error', code);
}

const refused = (failure: Refused['failure'], reason: string): Refused => ({ kind: 'refused', failure, reason });
