// gift_rail: somebody is sent a reward, goes on to it from the gateway's wallet, and takes it at Tremendous as they like.
import { randomUUID } from 'node:crypto';
import { cyan, dim, green } from '../../terminal.mjs';
import { detail, step, timed, until } from '../steps.mjs';
import { openedWallet } from './wallet.mjs';

const CENTS = 2_500;

export async function payByGiftRail({ gateway, url, sandboxUrl, country }) {
  const externalId = `creator-${randomUUID().slice(0, 8)}`;
  const email = `${externalId}@example.com`;
  const payee = await gateway.payees.upsert({ externalId, email, name: 'Rosa Parks', country });
  const wanted = { payeeId: payee.id, amountCents: CENTS, currency: 'EUR', idempotencyKey: randomUUID() };
  const asked = await timed(() => gateway.request('POST', '/payouts', wanted));
  const { id } = asked.answer.body;
  step('gift_rail: 25.00 EUR to somebody who chooses how to have it', 'POST /api/v1/payouts', asked.ms);
  detail('payout', id);

  const books = async () => (await fetch(`${sandboxUrl}/gift_rail`)).json();
  const theirs = ({ reward }) => reward.recipient.email === email;
  const order = await until('the order at Tremendous', async () => (await books()).orders.find(theirs));
  step('It waits there for its payee', `order ${order.id}`, null);

  const browser = await openedWallet({ gateway, url, payee, email });
  const page = `/portal/payments/${id}`;
  const shown = await until('the page that leads there', async () => {
    const { ok, text } = await browser.get(page);
    return ok ? text : undefined;
  });
  detail('page', cyan(url + page));
  const led = await timed(() => browser.press(shown, `${page}/take`));
  step('They go on to it from their wallet', 'the button on that page', led.ms);
  const reward = led.answer.location;
  detail('reward', cyan(reward));
  const body = new URLSearchParams({ product: 'Gift card' });
  const taken = await timed(() => fetch(reward, { method: 'POST', body }));
  step('They take it as a gift card', 'the form there', taken.ms);
  const paid = await until('the payout to be paid', async () => {
    const { body: payout } = await gateway.request('GET', `/payouts/${id}`);
    return payout.status === 'paid' ? payout : undefined;
  });
  detail('payout', `${green(paid.status)}, ${dim('handed over: nobody hears when it was taken')}`);
  const moved = (await books()).orders.filter((each) => theirs(each) && each.status === 'EXECUTED');
  if (moved.length !== 1 || moved[0].reward.hundredths !== CENTS || !moved[0].reward.redeemed)
    throw new Error('Tremendous moved something else than 25.00 EUR, once.');
  detail('Tremendous', `${green('one reward of 25.00 EUR')} ${dim(`to ${email}`)}`);
}
