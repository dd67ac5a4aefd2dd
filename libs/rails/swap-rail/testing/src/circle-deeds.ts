/** What people do at Circle, and what Circle and its networks do by themselves: for whoever tries the rail by hand, or from another process. */
import type { SimulatedProvider } from '#libs/provider-sandbox';
import type { CircleTransaction } from './circle-books';
import { rotate } from './circle-keys';
import type { CircleSandbox } from './circle-sandbox';

type Asked = Record<string, unknown>;

export function deedsAt(circle: CircleSandbox): SimulatedProvider['deeds'] {
  const transaction = (asked: Asked): CircleTransaction => {
    const word = text(asked, 'transaction');
    const found = circle.state.transactions.findLast(({ id, refId }) => id === word || refId?.includes(word));
    if (!found) throw new Error(`There is no transaction ${word}: give its id, or a word of its reference.`);
    return found;
  };
  const wallet = (asked: Asked): { state: string } => circle.books.wallet(text(asked, 'wallet'));
  return {
    /** So much lies in the treasury from now on. */
    fund: (asked) => circle.fund(cents(asked)),
    freeze: (asked) => void (wallet(asked).state = 'FROZEN'),
    thaw: (asked) => void (wallet(asked).state = 'LIVE'),
    /** Transactions whose reference holds this word stay sent. */
    wait: (asked) => circle.destines(text(asked, 'reference'), { ends: null, error: null }),
    /** They fail once they were sent, with a word of Circle's such as INSUFFICIENT_NATIVE_TOKEN. */
    refuse: (asked) => circle.destines(text(asked, 'reference'), { ends: 'FAILED', error: text(asked, 'reason') }),
    deny: (asked) => circle.destines(text(asked, 'reference'), { ends: 'DENIED', error: null }),
    /** Whatever was said of them is over. */
    forget: (asked) => circle.destines(text(asked, 'reference'), null),
    complete: (asked) => circle.books.ends(transaction(asked), 'COMPLETE'),
    cancel: (asked) => circle.books.ends(transaction(asked), 'CANCELLED'),
    /** An operator takes what lies in a payee's wallet back: the first leg by its id, or by a word of its reference. */
    take_back: (asked) => void circle.takesBack(transaction(asked)),
    /** Circle has another public key from now on. */
    rotate: () => rotate(circle.state.keys),
    notices: (asked) => circle.tellsAt(asked.url === null ? null : text(asked, 'url')),
  };
}

function text(asked: Asked, name: string): string {
  const { [name]: given } = asked;
  if (typeof given !== 'string' || given === '') throw new Error(`Give '${name}', a text.`);
  return given;
}

function cents({ cents: given }: Asked): number {
  if (!Number.isSafeInteger(given)) throw new Error("Give 'cents', a whole number.");
  return given as number;
}
