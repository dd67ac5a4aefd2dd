/** What people do at Adyen, and what Adyen and banks do by themselves: for whoever tries the rail by hand, or from another process. */
import type { SimulatedProvider } from '#libs/provider-sandbox';
import type { AdyenHolder, AdyenTransfer } from './adyen-books';
import type { AdyenSandbox } from './adyen-sandbox';

type Asked = Record<string, unknown>;

export function deedsAt(adyen: AdyenSandbox): SimulatedProvider['deeds'] {
  const holder = (asked: Asked): AdyenHolder => adyen.books.holder(text(asked, 'account'));
  const transfer = (asked: Asked): AdyenTransfer => {
    const word = text(asked, 'transfer');
    const found = adyen.state.transfers.find(({ id }) => id === word) ?? adyen.banksOf(word).at(-1);
    if (!found) throw new Error(`There is no transfer ${word}: give its id, or the reference of one to a bank.`);
    return found;
  };
  return {
    fund: (asked) => adyen.fund(text(asked, 'currency'), units(asked)),
    /** An account holder of this platform that somebody opened elsewhere. */
    account: (asked) => adyen.hasHolder({ id: text(asked, 'id') }),
    verify: (asked) => adyen.becomes(holder(asked), 'verified'),
    reject: (asked) => adyen.becomes(holder(asked), 'rejected', text(asked, 'reason')),
    suspend: (asked) => adyen.shuts(holder(asked), 'suspended'),
    /** Transfers to a bank with this reference wait, authorised or `booked`, until somebody says what becomes of them. */
    wait: (asked) => adyen.destines(text(asked, 'reference'), { until: untilOf(asked), fails: null }),
    /** They fail there, with a word of Adyen's such as counterpartyAccountClosed. */
    refuse: (asked) =>
      adyen.destines(text(asked, 'reference'), { until: untilOf(asked), fails: text(asked, 'reason') }),
    credit: (asked) => adyen.books.credits(transfer(asked)),
    fail: (asked) => adyen.books.fails(transfer(asked), text(asked, 'reason')),
    /** The bank sends back what it had, less `kept` of the smallest units. */
    return: (asked) => adyen.books.returns(transfer(asked), text(asked, 'reason'), keptOf(asked)),
    notices: (asked) => adyen.tellsAt(asked.url === null ? null : text(asked, 'url')),
  };
}

const untilOf = ({ until }: Asked): 'authorised' | 'booked' => (until === 'booked' ? until : 'authorised');

const keptOf = ({ kept = 0 }: Asked): number => units({ units: kept });

function text(asked: Asked, name: string): string {
  const { [name]: given } = asked;
  if (typeof given !== 'string' || given === '') throw new Error(`Give '${name}', a text.`);
  return given;
}

function units({ units: given }: Asked): number {
  if (!Number.isSafeInteger(given)) throw new Error("Give 'units', a whole number of the smallest units.");
  return given as number;
}
