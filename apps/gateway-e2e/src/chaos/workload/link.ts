/** Repairs the ledger as a caller would: rows of a payout that failed are paid by a payment of its own, and linked to it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../harness/api';
import { askedToPay, of, type Scene } from './deeds';
import { CURRENCY, type Party } from './model';

const LOOKS = 12;
const BETWEEN_LOOKS_MS = 400;

export async function linkRows(scene: Scene): Promise<void> {
  const { caller, model, unique } = scene;
  const party = of(scene, model.parties);
  const path = '/disbursements?status=owed&limit=100';
  const { body } = await caller.asClient(party, { method: 'GET', path, what: 'list owed' });
  const failed = (body?.data as Json[]).filter(({ transactionId }) => transactionId !== null);
  if (failed.length === 0) return;
  const { transactionId, payeeId } = of(scene, failed);
  const rows = failed.filter((row) => row.transactionId === transactionId);
  const payee = party.payees.find(({ id }) => id === payeeId);
  if (!payee) return;
  const amountCents = rows.reduce((sum, row) => sum + row.amountCents, 0);
  const key = `pay-${unique()}`;
  const wish = model.wish({ payee, key, amountCents, currency: CURRENCY, reason: null });
  await askedToPay(scene, key);
  const [payoutId] = wish.ids;
  if (!payoutId || !(await isActive(scene, party, payoutId))) return;
  const link = { replacementTransactionId: payoutId, disbursementIds: rows.map(({ id }) => id) };
  const what = `link ${rows.map(({ externalRef }) => externalRef).join(', ')} to ${payoutId}`;
  const request = { method: 'POST', path: '/disbursements/recovery-link', body: link, payee, what };
  const { status } = await caller.asClient(party, request);
  if (status === 200) model.links.push({ payee, payoutId, earlierId: transactionId, amountCents });
}

async function isActive({ caller }: Scene, party: Party, payoutId: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const request = { method: 'GET', path: `/payouts/${payoutId}`, what: `read ${payoutId}` };
    const { status } = (await caller.asClient(party, request)).body as Json;
    if (['submitted', 'sent', 'paid'].includes(status)) return true;
    await pause(BETWEEN_LOOKS_MS);
  }
  return false;
}
