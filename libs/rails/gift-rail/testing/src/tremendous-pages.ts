/** The page on which somebody redeems their reward: plain HTML, for people and browsers alike. Whoever has the link can. */
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import type { TremendousBooks, TremendousOrder } from './tremendous-books';
import { decimalOf } from './tremendous-words';

const PAGE = /^\/rewards\/payout\/([a-f0-9]+)$/;
const PRODUCTS = ['PayPal', 'Bank transfer', 'Gift card'];

/** null: it is no page that is asked for. */
export function rewardPage({ method, path, body }: SandboxRequest, books: TremendousBooks): SandboxAnswer | null {
  const [, token] = PAGE.exec(path) ?? [];
  if (token === undefined) return null;
  const order = books.linked(token);
  if (!order) return page(404, '<h1>Nothing here</h1><p>This link is not known.</p>');
  const as = new URLSearchParams(body).get('product') ?? '';
  if (method === 'POST' && order.status === 'EXECUTED' && PRODUCTS.includes(as)) books.redeem(order, as);
  return shown(order);
}

function shown({ status, reward }: TremendousOrder): SandboxAnswer {
  const { hundredths, currency, sender, redeemed } = reward;
  const from = sender === null ? '' : `<p>From ${escaped(sender)}</p>`;
  const amount = `${from}<h1>${decimalOf(hundredths)} ${currency}</h1>`;
  if (status !== 'EXECUTED') return page(200, `${amount}<p role="status">This reward is not available any more.</p>`);
  if (redeemed) return page(200, `${amount}<p role="status">Redeemed as ${redeemed.as}.</p>`);
  const choices = PRODUCTS.map(
    (product, place) =>
      `<p><label><input type="radio" name="product" value="${product}"${place === 0 ? ' checked' : ''}> ${product}</label></p>`,
  );
  return page(
    200,
    `${amount}<form method="post"><fieldset><legend>How you want it</legend>${choices.join('')}</fieldset>
<button>Redeem</button></form>`,
  );
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (status: number, body: string): SandboxAnswer => ({
  status,
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated Tremendous</title><main>${body}</main></html>`,
});
