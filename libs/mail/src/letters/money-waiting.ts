/** Tells a payee that somebody owes them money, and how much. It holds no link: whoever reads it can do nothing by it. */
import type { Letter } from '../mail';
import { html, page } from './html';
import { personName } from './person-name';
import { amount, businessName } from './words';

export interface MoneyWaiting {
  clientName: string;
  payeeName: string | null;
  /** One for each currency. */
  amounts: { currency: string; cents: number }[];
}

export function moneyWaiting({ clientName, payeeName, amounts }: MoneyWaiting): Letter {
  const from = businessName(clientName);
  const name = personName(payeeName);
  const greeting = name ? `Hello ${name},` : 'Hello,';
  const sums = amounts.map(({ currency, cents }) => amount(cents, currency));
  const subject = `Money from ${from} is waiting for you`;
  const intro = `${from} has set money aside for you:`;
  const outro = `It is kept until it is paid out to you. ${from} can tell you when and how that happens.`;
  return {
    subject,
    text: `${greeting}\n\n${intro}\n\n${sums.map((sum) => `  ${sum}`).join('\n')}\n\n${outro}\n`,
    html: page(
      subject,
      html`<p>${greeting}</p>
        <p>${intro}</p>
        <ul>
          ${sums.map((sum) => html`<li><strong>${sum}</strong></li>`)}
        </ul>
        <p>${outro}</p>`,
    ),
  };
}
