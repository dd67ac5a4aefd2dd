/** The page on which somebody without an account claims what was sent to their address: plain HTML, for people and browsers alike. */
import type { SandboxAnswer } from '#libs/provider-sandbox';
import type { PaypalPayment } from './paypal-books';
import { moneyOf } from './paypal-words';

const CLAIM = /^\/claim\/([A-Z0-9]+)$/;

export const claimedItem = (path: string): string | null => CLAIM.exec(path)?.[1] ?? null;

export function claimPage(payment: PaypalPayment | undefined): SandboxAnswer {
  if (!payment) return page(404, '<h1>Nothing here</h1><p>This payment is not known.</p>');
  const { value, currency } = moneyOf(payment.units, payment.currency);
  const amount = `<h1>${value} ${currency}</h1>`;
  if (payment.status !== 'UNCLAIMED')
    return page(200, `${amount}<p role="status">This payment is ${payment.status}.</p>`);
  return page(
    200,
    `${amount}<p>Open an account for ${escaped(payment.receiver)} to get it.</p>
<form method="post"><button name="deed" value="claim">Claim</button> <button name="deed" value="hold">Claim, and be looked into</button></form>`,
  );
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (status: number, body: string): SandboxAnswer => ({
  status,
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated PayPal</title><main>${body}</main></html>`,
});
