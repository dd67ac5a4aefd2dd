/** The pages on which a payee is verified: plain HTML, for people and browsers alike. A link is good for one visit, and for four minutes. */
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import { type AdyenLink, type AdyenState, numbered } from './adyen-books';

const ONBOARDING = /^\/onboarding\/([A-F0-9]+)$/;
const LINK_LIVES_MS = 240_000;

interface Parts {
  state: AdyenState;
  now: () => Date;
  /** How long a check takes that finds nothing wrong. */
  verifiedAfterMs: number;
}

export function newLink({ state, now }: Parts, entity: string, redirectUrl: string): string {
  const expiresAt = new Date(now().getTime() + LINK_LIVES_MS).toISOString();
  const link = { token: numbered(''), entity, redirectUrl, expiresAt, used: false };
  state.links.push(link);
  return link.token;
}

/** null: it is no page that is asked for. */
export function onboardingPage({ method, path, body }: SandboxRequest, parts: Parts): SandboxAnswer | null {
  const [, token] = ONBOARDING.exec(path) ?? [];
  if (token === undefined) return null;
  const link = parts.state.links.find((each) => each.token === token);
  if (!link) return page(404, '<h1>Nothing here</h1><p>This link is not known.</p>');
  if (method === 'POST') return filledIn(link, new URLSearchParams(body), parts);
  // Adyen leads nobody back from here: whoever sent them has to make another link.
  if (link.used || Date.parse(link.expiresAt) < parts.now().getTime())
    return page(410, '<h1>This link is not good any more</h1><p>Go back to where you came from, and open it anew.</p>');
  link.used = true;
  return page(200, FORM);
}

function filledIn(link: AdyenLink, form: URLSearchParams, { state, now, verifiedAfterMs }: Parts): SandboxAnswer {
  const entity = state.entities.find(({ id }) => id === link.entity);
  const number = (form.get('iban') ?? '').replace(/\s/g, '');
  Object.assign(entity ?? {}, {
    ...{ firstName: form.get('first') ?? '', lastName: form.get('last') ?? '' },
    instruments: number.length < 8 ? [] : [{ id: numbered('SE'), number }],
  });
  const outcome = form.get('outcome');
  const isRejected = outcome === 'reject';
  const reason = isRejected ? form.get('reason') || 'The photograph of the document is blurred.' : null;
  const verifiedAt = outcome === 'approve' ? new Date(now().getTime() + verifiedAfterMs).toISOString() : null;
  for (const holder of state.holders)
    if (holder.legalEntityId === link.entity)
      Object.assign(holder, { standing: isRejected ? 'rejected' : 'pending', reason, verifiedAt });
  return { status: 303, headers: { location: link.redirectUrl }, html: '' };
}

const FORM = `<h1>Verify your details</h1><form method="post">
<p><label>First name <input name="first" autocomplete="given-name" required value="Ada"></label></p>
<p><label>Last name <input name="last" autocomplete="family-name" required value="Testperson"></label></p>
<p><label>Bank account <input name="iban" required value="DE89370400440532013000"></label></p>
<fieldset><legend>What the check says</legend>
<p><label><input type="radio" name="outcome" value="approve" checked> Approve, after a while</label></p>
<p><label><input type="radio" name="outcome" value="pending"> Still looking</label></p>
<p><label><input type="radio" name="outcome" value="reject"> Reject</label></p>
<p><label>Why it is rejected <input name="reason"></label></p></fieldset>
<button>Submit</button></form>`;

const page = (status: number, body: string): SandboxAnswer => ({
  status,
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated Adyen</title><main>${body}</main></html>`,
});
