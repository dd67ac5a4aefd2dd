// custodial_a: somebody opens an account on Stripe's pages, is heard to be payable, and is paid to their bank.
import { randomUUID } from 'node:crypto';
import { cyan, dim, green } from '../../terminal.mjs';
import { detail, step, timed, until } from '../steps.mjs';

const CENTS = 2_500;

export async function payByCustodialA({ gateway, catcher, sandboxUrl, country }) {
  const externalId = `creator-${randomUUID().slice(0, 8)}`;
  const person = { externalId, email: `${externalId}@example.com`, name: 'Marie Curie', country };
  const payee = await gateway.payees.upsert(person);
  const returnUrl = new URL('/done', catcher.url).href;
  const asked = await timed(() => gateway.request('POST', `/payees/${payee.id}/onboarding-link`, { returnUrl }));
  step('custodial_a: somebody who opens an account first', 'POST /api/v1/payees/{id}/onboarding-link', asked.ms);
  const opened = await timed(() => fetch(asked.answer.body.url, { method: 'POST', redirect: 'manual' }));
  const page = opened.answer.headers.get('location');
  step('An account is opened for them at Stripe, and a link to its pages', 'the button on that page', opened.ms);
  detail('Stripe', cyan(page));

  const form = { name: 'Marie Curie', iban: 'FR1420041010050500013M02606', outcome: 'approve' };
  const filledIn = { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' };
  const sent = await timed(() => fetch(page, filledIn));
  step('They fill it in, and Stripe tells the gateway that they can be paid', 'the button there', sent.ms);
  const payable = await until('the payee to be payable', async () => {
    const { body } = await gateway.request('GET', `/payees/${payee.id}`);
    return body.payable ? body : undefined;
  });
  detail('payee', `${payable.kycStatus}, payable over ${payable.provider}`);

  const wanted = { payeeId: payee.id, amountCents: CENTS, currency: 'EUR', idempotencyKey: randomUUID() };
  const { answer, ms } = await timed(() => gateway.request('POST', '/payouts', wanted));
  const { id } = answer.body;
  step('25.00 EUR', 'POST /api/v1/payouts', ms);
  const paid = await until('the payout to have arrived', async () => {
    const { body } = await gateway.request('GET', `/payouts/${id}`);
    return body.status === 'paid' && body.settledAt !== null ? body : undefined;
  });
  detail('payout', `${green(paid.status)}, settled ${paid.settledAt}`);
  const { payouts } = await (await fetch(`${sandboxUrl}/custodial_a`)).json();
  const moved = payouts.filter(({ status }) => status === 'paid');
  if (moved.length !== 1 || moved[0].units !== CENTS)
    throw new Error('Stripe moved something else than 25.00 EUR, once.');
  detail('Stripe', `${green('one movement of 25.00 EUR')} ${dim('to a bank, by way of their account')}`);
}
