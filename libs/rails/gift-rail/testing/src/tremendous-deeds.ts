/** What people do at Tremendous: for whoever tries the rail by hand, or from another process. */
import type { SimulatedProvider } from '#libs/provider-sandbox';
import type { TremendousOrder } from './tremendous-books';
import type { TremendousSandbox } from './tremendous-sandbox';

type Asked = Record<string, unknown>;

export function deedsAt(tremendous: TremendousSandbox): SimulatedProvider['deeds'] {
  const order = (asked: Asked): TremendousOrder => {
    const word = text(asked, 'order');
    const found = tremendous.books.order(word);
    if (!found) throw new Error(`There is no order ${word}: give its id, or its external_id.`);
    return found;
  };
  return {
    fund: (asked) => tremendous.fund(hundredths(asked, 'hundredths')),
    /** Orders to this address wait for approval from now on. */
    review: (asked) => tremendous.reviews(text(asked, 'email')),
    approve: (asked) => tremendous.books.approve(order(asked)),
    reject: (asked) => tremendous.books.reject(order(asked)),
    /** In the dashboard, of what nobody redeemed; `kept` hundredths of it are not given back. */
    cancel: (asked) => tremendous.books.cancel(order(asked), asked.kept === undefined ? 0 : hundredths(asked, 'kept')),
    redeem: (asked) => tremendous.books.redeem(order(asked), 'PayPal'),
    notices: (asked) => tremendous.tellsAt(asked.url === null ? null : text(asked, 'url')),
  };
}

function text(asked: Asked, name: string): string {
  const { [name]: given } = asked;
  if (typeof given !== 'string' || given === '') throw new Error(`Give '${name}', a text.`);
  return given;
}

function hundredths(asked: Asked, name: string): number {
  const { [name]: given } = asked;
  if (!Number.isSafeInteger(given)) throw new Error(`Give '${name}', a whole number of hundredths.`);
  return given as number;
}
