// swap_rail: somebody is sent dollars into a wallet at Circle, says in the gateway's wallet to which address, and is paid there.
import { randomBytes, randomUUID } from 'node:crypto';
import { cyan, dim, green } from '../../terminal.mjs';
import { detail, step, timed, until } from '../steps.mjs';
import { openedWallet } from './wallet.mjs';

const UNITS = 25_000_000;

export async function payBySwapRail({ gateway, url, sandboxUrl, country }) {
  const email = `ada-${randomUUID().slice(0, 8)}@example.com`;
  const payee = await gateway.payees.upsert({
    externalId: `creator-${randomUUID().slice(0, 8)}`,
    email,
    name: 'Ada',
    country,
  });
  const wanted = { payeeId: payee.id, amountCents: 2_500, currency: 'USD', idempotencyKey: randomUUID() };
  const asked = await timed(() => gateway.request('POST', '/payouts', wanted));
  const { id } = asked.answer.body;
  step('swap_rail: 25.00 USD to somebody with a wallet of their own', 'POST /api/v1/payouts', asked.ms);
  detail('payout', id);

  const books = async () => (await fetch(`${sandboxUrl}/swap_rail`)).json();
  const wallet = await until('the first leg at Circle', async () => {
    const { wallets, transactions } = await books();
    const leg = transactions.find(
      ({ to, state }) => state === 'COMPLETE' && wallets.some(({ address }) => address === to),
    );
    return wallets.find(({ address }) => address === leg?.to);
  });
  step('It waits in a wallet at Circle', `wallet ${wallet.id}`, null);

  const browser = await openedWallet({ gateway, url, payee, email });
  const page = `/portal/payments/${id}`;
  const address = `0x${randomBytes(20).toString('hex')}`;
  const shown = await until('the page that asks for an address', async () => {
    const [, form = ''] = /name="form" value="([^"]+)"/.exec((await browser.get(page)).text) ?? [];
    const { ok, text } = await browser.get(`${page}/check?to=${address}&form=${form}`);
    return ok && text.includes(address) ? text : undefined;
  });
  detail('page', cyan(url + page));
  const sent = await timed(() => browser.press(shown, `${page}/send`));
  step('They enter their address, see it once more, and send', 'the form on that page', sent.ms);
  const paid = await until('the payout to be paid', async () => {
    const { body } = await gateway.request('GET', `/payouts/${id}`);
    return body.status === 'paid' ? body : undefined;
  });
  detail('payout', `${green(paid.status)}, settled ${paid.settledAt}`);
  const moved = (await books()).transactions.filter(({ to, state }) => to === address && state === 'COMPLETE');
  if (moved.length !== 1 || moved[0].units !== UNITS)
    throw new Error('Circle moved something else than 25 USDC, once.');
  detail('Circle', `${green('one drain of 25 USDC')} ${dim(`to ${address}`)}`);
}
