/** A letter in a payee's language. The words come from its writer; a button, if there is one, leads to the mail's link. */
import { type Letter, LINK_PLACE } from '../mail';
import { Html, html, page } from './html';

export interface LetterToPayee {
  language: string;
  direction: 'ltr' | 'rtl';
  subject: string;
  greeting: string;
  intro: string;
  /** What the introduction is about, a line each. */
  sums?: string[];
  /** null: it has no link. */
  button: string | null;
  note: string;
}

const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:10px;background:#1f5eff;color:#ffffff;font-weight:600;text-decoration:none';

export function letterToPayee({
  subject,
  greeting,
  intro,
  sums = [],
  button,
  note,
  ...writing
}: LetterToPayee): Letter {
  const link = button === null ? [] : [html`<p><a href="${new Html(LINK_PLACE)}" style="${BUTTON}">${button}</a></p>`];
  const lines = sums.map((sum) => html`<li><strong>${sum}</strong></li>`);
  const list =
    lines.length === 0
      ? []
      : [
          html`<ul>
            ${lines}
          </ul>`,
        ];
  const body = html`<p>${greeting}</p>
    <p>${intro}</p>
    ${list} ${link}
    <p>${note}</p>`;
  const listed = sums.length === 0 ? [] : [sums.map((sum) => `  ${sum}`).join('\n')];
  const paragraphs = [greeting, intro, ...listed, ...(button === null ? [] : [`${button}: ${LINK_PLACE}`]), note];
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: page(subject, body, writing) };
}
