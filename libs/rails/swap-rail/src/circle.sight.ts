/** What Circle has of a payout: its first leg, what left the payee's wallet for it since, and of each try whether it is over. */
import type { RailCall, RailOrder } from '#libs/rail-kit';
import { type CircleAnswer, type CircleClient, type Listed, PAGE_SIZE } from './circle.client';
import type { Transaction } from './circle.shapes';
import { referenceOf } from './references';
import { isSameAddress, isSameId, mayBe } from './same';
import { cameToNothing, isOver } from './swap-rail.mapping';
import type { Place, Treasury } from './treasury';
import type { Try } from './tries';
import { type KnownWallet, ofOneWallet, type Wallets } from './wallets';

export interface Drained {
  transaction: Transaction;
  /** Our key of the call; another word if somebody made it at Circle. */
  legKey: string;
}

/** One try of a payout, and what became of it. */
export interface Sight {
  railKey: string;
  number: number;
  /** From the treasury to the wallet. */
  leg: Transaction;
  drains: Drained[];
  /** From the wallet to the treasury. */
  backs: Transaction[];
  wallet: KnownWallet;
  place: Place;
}

export type Seen =
  | { kind: 'seen'; sight: Sight }
  /** Circle has no first leg of it. */
  | { kind: 'nothing'; place: Place }
  | { kind: 'unsure'; detail: string }
  | Exclude<CircleAnswer<never>, { kind: 'done' }>;

type Told<Found> = { kind: 'done'; found: Found } | Exclude<Seen, { kind: 'seen' | 'nothing' }>;
type Asked = Pick<RailOrder, 'railKey' | 'payee' | 'payeeKey'>;
type Part = Omit<Sight, 'wallet'>;

/** A payee who was paid more often is for a person to look at. */
const MOST_PAGES = 100;

export class CircleSight {
  constructor(
    private readonly client: CircleClient,
    private readonly treasury: Treasury,
    private readonly wallets: Wallets,
  ) {}

  /** A transaction whose id we know is asked for by its id. The whole list is read only if that one is over, or none is known. */
  async look(asked: Asked, attempt: Try | null, call?: RailCall): Promise<Seen> {
    const { railKey } = asked;
    const place = await this.treasury.place(call?.signal);
    if (place.kind !== 'done') return place;
    const known = await this.known(attempt, call);
    if (known.kind !== 'done') return known;
    const first = await this.sights(railKey, known.found, place.found, call);
    if (first.kind !== 'done') return first;
    if (first.found.length < known.found.length)
      return { kind: 'unsure', detail: 'Circle shows another payment under the id of this one' };
    if (first.found.some((sight) => !isOver(sight))) return theOne(first.found, place.found);
    const wallet = await this.wallets.known(asked, place.found, call?.signal);
    if (wallet.kind !== 'done') return wallet;
    if (wallet.found === null) return theOne(first.found, place.found);
    const listed = { walletIds: place.found.treasuryId, destinationAddress: wallet.found.address };
    const answer = await this.all(listed, call);
    if (answer.kind !== 'done') return answer;
    const others = answer.found.filter(({ id }) => !known.found.some((leg) => leg.id === id));
    const all = await this.sights(railKey, [...known.found, ...others], place.found, call);
    return all.kind === 'done' ? theOne(all.found, place.found) : all;
  }

  private async known(attempt: Try | null, call?: RailCall): Promise<Told<Transaction[]>> {
    if (attempt === null || attempt.transactionId === null) return { kind: 'done', found: [] };
    const answer = await this.client.transaction(attempt.transactionId, call?.signal);
    if (answer.kind === 'done') return { kind: 'done', found: [answer.found.data.transaction] };
    // Another account knows nothing of it.
    const isElsewhere = answer.kind === 'rejected' && call?.movesNothing === 'sent_elsewhere';
    return isElsewhere ? { kind: 'done', found: [] } : answer;
  }

  /** Those of them that are first legs of this payout, each with what left its wallet since. */
  private async sights(
    railKey: string,
    transactions: Transaction[],
    place: Place,
    call?: RailCall,
  ): Promise<Told<Sight[]>> {
    const sights: Sight[] = [];
    for (const leg of transactions) {
      const reference = referenceOf(leg.refId);
      if (reference?.kind !== 'pay' || reference.railKey !== railKey) continue;
      const part = { railKey, number: reference.number, leg, place, drains: [], backs: [] };
      const sight = await this.whole(part, call);
      if (sight.kind !== 'done') return sight;
      sights.push(sight.found);
    }
    return { kind: 'done', found: sights };
  }

  private async whole(part: Part, call?: RailCall): Promise<Told<Sight>> {
    const { leg, place } = part;
    const wallet = await this.wallets.at(leg.destinationAddress ?? '', place, call?.signal);
    if (wallet.kind !== 'done') return wallet;
    if (wallet.found === null)
      return { kind: 'unsure', detail: 'Circle shows a first leg to a wallet that is none of ours' };
    const sight: Sight = { ...part, wallet: wallet.found };
    // While it is on its way nothing of it can have left. Of one that came to nothing that is looked at: books may contradict themselves.
    if (leg.state !== 'COMPLETE' && !cameToNothing(leg)) return { kind: 'done', found: sight };
    const outs = await this.all({ walletIds: wallet.found.id, from: leg.createDate }, call);
    if (outs.kind === 'done') return { kind: 'done', found: { ...sight, ...outOf(sight, outs.found) } };
    return outs.kind === 'unsure' ? outs : ofOneWallet<never>(outs);
  }

  private async all(listed: Listed, call?: RailCall): Promise<Told<Transaction[]>> {
    const all: Transaction[] = [];
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer = await this.client.transactions(listed, all.at(-1)?.id ?? null, call?.signal);
      if (answer.kind !== 'done') return answer;
      const { transactions } = answer.found.data;
      // The one we asked for may be on another list then: not listed does not mean missing.
      if (!transactions.every((each) => isOf(each, listed))) return OTHERS;
      all.push(...transactions);
      if (transactions.length < PAGE_SIZE) return { kind: 'done', found: all };
    }
    return tooMany('pages');
  }
}

const OTHERS = { kind: 'unsure', detail: 'Circle lists other transactions than were asked for' } as const;

const isOf = ({ walletId, destinationAddress }: Transaction, asked: Listed): boolean =>
  mayBe(walletId, (told) => isSameId(told, asked.walletIds)) &&
  mayBe(asked.destinationAddress, (to) => mayBe(destinationAddress, (told) => isSameAddress(told, to)));

function outOf(
  { railKey, number }: Pick<Sight, 'railKey' | 'number'>,
  outs: Transaction[],
): Pick<Sight, 'drains' | 'backs'> {
  const ours = outs.flatMap((transaction) => {
    const reference = referenceOf(transaction.refId);
    return reference?.railKey === railKey && reference.number === number ? [{ transaction, reference }] : [];
  });
  return {
    drains: ours.flatMap(({ transaction, reference }) =>
      reference.kind === 'drain' ? [{ transaction, legKey: reference.legKey }] : [],
    ),
    backs: ours.flatMap(({ transaction, reference }) => (reference.kind === 'back' ? [transaction] : [])),
  };
}

/** The one that is not over, or the last one. */
function theOne(sights: Sight[], place: Place): Seen {
  const live = sights.filter((each) => !isOver(each));
  if (live.length > 1) return tooMany('first legs');
  const sight = live[0] ?? [...sights].sort((one, other) => other.number - one.number)[0];
  return sight ? { kind: 'seen', sight } : { kind: 'nothing', place };
}

const tooMany = (what: string): { kind: 'unsure'; detail: string } => ({
  kind: 'unsure',
  detail: `Circle shows more ${what} than one payout can have`,
});
