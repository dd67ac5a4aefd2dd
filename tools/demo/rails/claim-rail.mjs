// claim_rail: somebody without a PayPal account is sent money, opens the page of the payment, claims it at PayPal, and is paid.
import { randomUUID } from 'node:crypto';
import { cyan, dim, green } from '../../terminal.mjs';
import { detail, step, timed, until } from '../steps.mjs';

export async function payByClaimRail({ gateway, catcher, sandboxUrl, providers, country }) {
  const email = `ada-${randomUUID().slice(0, 8)}@example.com`;
  const person = { externalId: `creator-${randomUUID().slice(0, 8)}`, email, name: 'Ada Lovelace', country };
  const payee = await gateway.payees.upsert(person);
  const wanted = { payeeId: payee.id, amountCents: 2_500, currency: 'EUR', idempotencyKey: randomUUID() };
  const asked = await timed(() => gateway.request('POST', '/payouts', wanted));
  const { id } = asked.answer.body;
  step('claim_rail: 25.00 EUR to somebody without a PayPal account', 'POST /api/v1/payouts', asked.ms);
  detail('payout', id);

  const books = async () => (await fetch(`${sandboxUrl}/claim_rail`)).json();
  const sent = await until('the payment at PayPal', async () =>
    (await books()).payments.find(({ receiver, status }) => receiver === email && status === 'UNCLAIMED'),
  );
  const { claimUrl } = await until('an event with the page of the payment', () =>
    catcher.deliveries
      .map(({ rawBody }) => JSON.parse(rawBody))
      .find((event) => event.transactionId === id && event.claimUrl),
  );
  step('It waits there for its payee', `batch ${sent.batchId}`, null);
  detail('their page', cyan(claimUrl));
  const { url } = providers.find(({ rail }) => rail === 'claim_rail');
  const page = `${url}/claim/${sent.itemId}`;
  detail('PayPal', cyan(page));

  const claimed = await timed(() => fetch(page, { method: 'POST', body: new URLSearchParams({ deed: 'claim' }) }));
  step('They open an account and claim it', 'the button on that page', claimed.ms);
  const paid = await until('the payout to be paid', async () => {
    const { body } = await gateway.request('GET', `/payouts/${id}`);
    return body.status === 'paid' ? body : undefined;
  });
  detail('payout', `${green(paid.status)}, settled ${paid.settledAt}`);
  const moved = (await books()).payments.filter(({ receiver, status }) => receiver === email && status === 'SUCCESS');
  if (moved.length !== 1 || moved[0].units !== 2_500)
    throw new Error('PayPal moved something else than 25.00 EUR, once.');
  detail('PayPal', `${green('one movement of 25.00 EUR')} ${dim(`to ${email}`)}`);
}
