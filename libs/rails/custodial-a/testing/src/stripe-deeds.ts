/** What people do at Stripe, and what Stripe and banks do by themselves: for whoever tries the rail by hand, or from another process. */
import type { SimulatedProvider } from '#libs/provider-sandbox';
import type { StripePayout } from './stripe-books';
import type { StripeSandbox } from './stripe-sandbox';

type Asked = Record<string, unknown>;

export function deedsAt(stripe: StripeSandbox): SimulatedProvider['deeds'] {
  const payout = (asked: Asked): StripePayout => {
    const word = text(asked, 'payout');
    const found = stripe.state.payouts.find(({ id }) => id === word) ?? stripe.payoutsOf(word).at(-1);
    if (!found) throw new Error(`There is no payout ${word}: give its id, or the transfer group.`);
    return found;
  };
  return {
    fund: (asked) => stripe.fund(text(asked, 'currency').toLowerCase(), units(asked)),
    /** An account of this platform that somebody opened elsewhere; `interval: daily` if Stripe makes its payouts. */
    account: (asked) =>
      stripe.hasAccount({ id: text(asked, 'id'), interval: asked.interval === 'daily' ? 'daily' : 'manual' }),
    verify: (asked) => stripe.books.becomes(stripe.books.account(text(asked, 'account')), 'verified'),
    reject: (asked) =>
      stripe.books.becomes(stripe.books.account(text(asked, 'account')), 'rejected', text(asked, 'reason')),
    /** Payouts of this transfer group wait at the bank, until they are paid or fail. */
    wait: (asked) => stripe.destines(text(asked, 'group'), null),
    /** They fail there, with a word of Stripe's such as account_closed. */
    refuse: (asked) => stripe.destines(text(asked, 'group'), text(asked, 'failure')),
    pay: (asked) => stripe.books.pays(payout(asked)),
    /** After it was paid as well. */
    fail: (asked) => stripe.books.fails(payout(asked), text(asked, 'failure')),
    notices: (asked) => stripe.tellsAt(asked.url === null ? null : text(asked, 'url')),
  };
}

function text(asked: Asked, name: string): string {
  const { [name]: given } = asked;
  if (typeof given !== 'string' || given === '') throw new Error(`Give '${name}', a text.`);
  return given;
}

function units({ units: given }: Asked): number {
  if (!Number.isSafeInteger(given)) throw new Error("Give 'units', a whole number of the smallest units.");
  return given as number;
}
