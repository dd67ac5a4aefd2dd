// custodial_b: somebody is verified on Adyen's pages, is found to be payable because the gateway asks, and is paid to their bank.
import { randomUUID } from 'node:crypto';
import { cyan, dim, green } from '../../terminal.mjs';
import { detail, step, timed, until } from '../steps.mjs';

const CENTS = 2_500;

export async function payByCustodialB({ gateway, catcher, url, token, sandboxUrl, country }) {
  const externalId = `creator-${randomUUID().slice(0, 8)}`;
  const person = { externalId, email: `${externalId}@example.com`, name: 'Grace Hopper', country };
  const payee = await gateway.payees.upsert(person);
  const returnUrl = new URL('/done', catcher.url).href;
  const asked = await timed(() => gateway.request('POST', `/payees/${payee.id}/onboarding-link`, { returnUrl }));
  step('custodial_b: somebody who is to be verified first', 'POST /api/v1/payees/{id}/onboarding-link', asked.ms);
  const opened = await timed(() => fetch(asked.answer.body.url, { method: 'POST', redirect: 'manual' }));
  const page = opened.answer.headers.get('location');
  step('An account is opened for them at Adyen, and a link to its pages', 'the button on that page', opened.ms);
  detail('Adyen', cyan(page));

  const form = { first: 'Grace', last: 'Hopper', iban: 'NL91ABNA0417164300', outcome: 'approve' };
  const filledIn = { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' };
  const sent = await timed(() => fetch(page, filledIn));
  step('They fill it in, and Adyen checks it for a while', 'the button there', sent.ms);
  const found = await timed(() => until('Adyen to be through', () => payableOnceAsked({ gateway, url, token }, payee)));
  step('The gateway asks from time to time, and finds them payable', 'POST /operator/v1/jobs/payability/run', found.ms);
  detail('payee', `${found.answer.kycStatus}, payable over ${found.answer.provider}`);

  const wanted = { payeeId: payee.id, amountCents: CENTS, currency: 'EUR', idempotencyKey: randomUUID() };
  const { answer, ms } = await timed(() => gateway.request('POST', '/payouts', wanted));
  const { id } = answer.body;
  step('25.00 EUR', 'POST /api/v1/payouts', ms);
  const paid = await until('the payout to have arrived', async () => {
    const { body } = await gateway.request('GET', `/payouts/${id}`);
    return body.status === 'paid' && body.settledAt !== null ? body : undefined;
  });
  detail('payout', `${green(paid.status)}, settled ${paid.settledAt}`);
  const { transfers } = await (await fetch(`${sandboxUrl}/custodial_b`)).json();
  const moved = transfers.filter(({ category, status }) => category === 'bank' && status === 'booked');
  if (moved.length !== 1 || moved[0].units !== CENTS)
    throw new Error('Adyen moved something else than 25.00 EUR, once.');
  detail('Adyen', `${green('one movement of 25.00 EUR')} ${dim('to a bank, by way of their balance account')}`);
}

/** What is done every minute is done at once here. The payee, as soon as they can be paid. */
async function payableOnceAsked({ gateway, url, token }, payee) {
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${url}/operator/v1/jobs/payability/run`, { method: 'POST', headers });
  const { body } = await gateway.request('GET', `/payees/${payee.id}`);
  return body.payable ? body : undefined;
}
