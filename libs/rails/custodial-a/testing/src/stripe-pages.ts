/** The pages on which a payee opens their account: plain HTML, for people and browsers alike. A link is good for one visit. */
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import type { StripeBooks, StripeLink, StripeState } from './stripe-books';

const SETUP = /^\/setup\/e\/(link_[a-f0-9]+)$/;

interface Parts {
  state: StripeState;
  books: StripeBooks;
  now: () => Date;
}

/** null: it is no page that is asked for. */
export function setupPage({ method, path, body }: SandboxRequest, { state, books, now }: Parts): SandboxAnswer | null {
  const [, token] = SETUP.exec(path) ?? [];
  if (token === undefined) return null;
  const link = state.links.find((each) => each.token === token);
  if (!link) return page(404, '<h1>Nothing here</h1><p>This link is not known.</p>');
  if (method === 'POST') return filledIn(link, new URLSearchParams(body), books);
  if (link.used || Date.parse(link.expiresAt) < now().getTime()) return goTo(link.refreshUrl);
  link.used = true;
  return page(200, FORM);
}

function filledIn(link: StripeLink, form: URLSearchParams, books: StripeBooks): SandboxAnswer {
  const account = books.account(link.account);
  Object.assign(account, { owner: form.get('name') ?? '', last4: (form.get('iban') ?? '').slice(-4) });
  const outcome = form.get('outcome');
  if (outcome === 'reject') books.becomes(account, 'rejected', form.get('reason') || 'The document could not be read.');
  else books.becomes(account, outcome === 'pending' ? 'pending' : 'verified');
  return goTo(link.returnUrl);
}

const FORM = `<h1>Get paid</h1><form method="post">
<p><label>Your name <input name="name" autocomplete="name" required value="Ada Testperson"></label></p>
<p><label>Bank account <input name="iban" required value="DE89370400440532013000"></label></p>
<fieldset><legend>What the check says</legend>
<p><label><input type="radio" name="outcome" value="approve" checked> Approve</label></p>
<p><label><input type="radio" name="outcome" value="pending"> Still looking</label></p>
<p><label><input type="radio" name="outcome" value="reject"> Reject</label></p>
<p><label>Why it is rejected <input name="reason"></label></p></fieldset>
<button>Submit</button></form>`;

const goTo = (url: string): SandboxAnswer => ({ status: 303, headers: { location: url }, html: '' });

const page = (status: number, body: string): SandboxAnswer => ({
  status,
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated Stripe</title><main>${body}</main></html>`,
});
