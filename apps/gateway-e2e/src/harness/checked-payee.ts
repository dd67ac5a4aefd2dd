/** A payee whose money waits for an address of theirs, and the link that was mailed to open their wallet. */
import { randomUUID } from 'node:crypto';
import type { ApiClient, Json } from './api';
import { linkIn, mailsTo } from './wallet';

export async function payeeSwap(client: ApiClient, locale: string): Promise<{ payout: Json; link: string }> {
  const payee = await client.payablePayee({ email: `${randomUUID()}@example.com`, locale });
  const payout = (await client.payout(payee.id, { reason: 'mock:swap' })).body;
  await client.post(`/payees/${payee.id}/portal-link`, {});
  const mails = await mailsTo(payee.email, 2);
  return { payout, link: linkIn(mails.find(({ kind }) => kind === 'portal_link')) };
}
