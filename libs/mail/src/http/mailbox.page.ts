/** The mailbox of a deployment in development, as a page. */
import { Html, html, page } from '../letters/html';
import type { Mail } from '../mail';

const LINK = /https?:\/\/[^\s<]+/;
const BUTTON = 'font:inherit;padding:8px 16px';

export function mailboxPage(mails: Mail[], wanted: string): string {
  const none = html`<p>
    ${wanted === '' ? 'No mail was written yet.' : 'No mail has that in its address or subject.'}
  </p>`;
  return page(
    'Mailbox',
    html`<h1>Mailbox</h1>
      <form method="get" action="/dev/mailbox">
        <label>To or subject: <input name="q" value="${wanted}" style="font:inherit;padding:8px" /></label>
        <button style="${BUTTON}">Search</button>
      </form>
      <form method="post" action="/dev/mailbox/clear"><button style="${BUTTON}">Clear the mailbox</button></form>
      ${mails.length === 0 ? none : mails.map(entry)}`,
  );
}

function entry({ id, toAddress, subject, bodyText, status, createdAt }: Mail): Html {
  return html`<article>
    <h2><a href="/dev/mailbox/${id}">${subject}</a></h2>
    <p>To ${toAddress}, ${createdAt.toISOString()}, ${status}</p>
    <pre style="white-space:pre-wrap;overflow-wrap:anywhere">${linked(bodyText)}</pre>
  </article>`;
}

/** Every other part is a link. */
function linked(text: string): Html[] {
  return text
    .split(new RegExp(`(${LINK.source})`))
    .map((part, place) => (place % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}
