/** A letter in a payee's language. The words come from its writer; a button, if there is one, leads to the mail's link. */
import { type Language, wordsIn } from '#libs/payee-words';
import { type Letter, LINK_PLACE } from '../mail';
import { Html, html, page } from './html';

export interface LetterToPayee {
  language: Language;
  direction: 'ltr' | 'rtl';
  subject: string;
  greeting: string;
  intro: string;
  /** The sums that the introduction is about, a line each. */
  sums?: string[];
  /** By when something has to be done about it. */
  until?: string;
  /** null: it has no link. */
  button: string | null;
  note: string;
  /** How whoever pays shows itself: the colour of its button, and where payees can ask for help. */
  brand: { color?: string; supportEmail?: string };
}

const OUR_COLOR = '#1f5eff';
/** The one sum that a letter is about. */
const ALONE = 'font-size:1.75em;font-weight:700;margin:0';
const buttonOf = (color: string): string =>
  `display:inline-block;padding:12px 20px;border-radius:10px;background:${color};color:#ffffff;font-weight:600;text-decoration:none`;

export function letterToPayee({
  subject,
  greeting,
  intro,
  sums = [],
  until,
  button,
  note,
  brand,
  ...writing
}: LetterToPayee): Letter {
  const style = buttonOf(brand.color ?? OUR_COLOR);
  const link = button === null ? [] : [html`<p><a href="${new Html(LINK_PLACE)}" style="${style}">${button}</a></p>`];
  const { supportEmail: email } = brand;
  const help = email === undefined ? [] : [wordsIn(writing.language).say('help', { email })];
  const list =
    sums.length < 2
      ? sums.map((sum) => html`<p style="${ALONE}">${sum}</p>`)
      : [
          html`<ul>
            ${sums.map((sum) => html`<li><strong>${sum}</strong></li>`)}
          </ul>`,
        ];
  const end = until === undefined ? [] : [until];
  const body = html`<p>${greeting}</p>
    <p>${intro}</p>
    ${list} ${end.map((line) => html`<p>${line}</p>`)} ${link}
    <p>${note}</p>
    ${help.map((line) => html`<p>${line}</p>`)}`;
  const listed = sums.length === 0 ? [] : [sums.map((sum) => `  ${sum}`).join('\n')];
  const paragraphs = [greeting, intro, ...listed, ...end, ...(button === null ? [] : [`${button}: ${LINK_PLACE}`])];
  return { subject, text: `${[...paragraphs, note, ...help].join('\n\n')}\n`, html: page(subject, body, writing) };
}
