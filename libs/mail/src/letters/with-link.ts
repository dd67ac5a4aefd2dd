/** A letter whose point is one link. The words come from its writer, in the reader's language. */
import { type Letter, LINK_PLACE } from '../mail';
import { Html, html, page } from './html';

export interface LetterWithLink {
  language: string;
  direction: 'ltr' | 'rtl';
  subject: string;
  greeting: string;
  intro: string;
  button: string;
  note: string;
}

const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:10px;background:#1f5eff;color:#ffffff;font-weight:600;text-decoration:none';

export function letterWithLink({ subject, greeting, intro, button, note, ...writing }: LetterWithLink): Letter {
  const body = html`<p>${greeting}</p>
    <p>${intro}</p>
    <p><a href="${new Html(LINK_PLACE)}" style="${BUTTON}">${button}</a></p>
    <p>${note}</p>`;
  const text = `${greeting}\n\n${intro}\n\n${button}: ${LINK_PLACE}\n\n${note}\n`;
  return { subject, text, html: page(subject, body, writing) };
}
