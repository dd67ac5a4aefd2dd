/** What people do at PayPal, and what PayPal does by itself: for whoever tries the rail by hand, or from another process. */
import type { SimulatedProvider } from '#libs/provider-sandbox';
import type { PaypalPayment } from './paypal-books';
import type { PaypalSandbox } from './paypal-sandbox';

type Asked = Record<string, unknown>;

export function deedsAt(paypal: PaypalSandbox): SimulatedProvider['deeds'] {
  const payment = (asked: Asked): PaypalPayment => {
    const word = text(asked, 'payment');
    const found = paypal.books.item(word) ?? paypal.books.batch(word) ?? paypal.sentAs(word)[0];
    if (!found) throw new Error(`There is no payment ${word}: give its item, its batch, or what the sender calls it.`);
    return found;
  };
  return {
    /** Pays this address at once from now on. */
    register: (asked) => paypal.register(text(asked, 'email')),
    /** Payments to this address fail, with a word of PayPal's, such as RECEIVER_UNREGISTERED. */
    fail: (asked) => paypal.fails(text(asked, 'email'), text(asked, 'error')),
    fund: (asked) => paypal.fund(text(asked, 'currency'), units(asked)),
    claim: (asked) => paypal.books.claim(payment(asked), paypal.now()),
    hold: (asked) => paypal.books.hold(payment(asked), paypal.now()),
    /** What is held, as some of it may be. */
    block: (asked) => paypal.books.block(payment(asked), paypal.now()),
    cancel: (asked) => paypal.books.cancel(payment(asked), paypal.now()),
    refund: (asked) => paypal.books.comesBack(payment(asked), 'REFUNDED', paypal.now()),
    reverse: (asked) => paypal.books.comesBack(payment(asked), 'REVERSED', paypal.now()),
    /** What was denied is paid after all. */
    pay_after_all: (asked) => paypal.books.payAfterAll(payment(asked), paypal.now()),
    /** As if PayPal took back every token that it gave. */
    revoke: () => paypal.tokens.revoke(),
    notices: (asked) => paypal.tellsAt(asked.url === null ? null : text(asked, 'url')),
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
