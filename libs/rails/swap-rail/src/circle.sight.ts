/** What Circle has of a payout: its first leg, what left the payee's wallet for it since, and of each try whether it is over. */
import type { RailCall, RailOrder } from '#libs/rail-kit';
import { type CircleAnswer, type CircleClient, type Listed, PAGE_SIZE } from './circle.client';
import type { Transaction } from './circle.shapes';
import { type Reference, referenceOf } from './references';
import { isOver } from './swap-rail.mapping';
import type { Place, Treasury } from './treasury';
import type { Try } from './tries';
import type { KnownWallet, Wallets } from './wallets';

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
type Asked = Pick<RailOrder, 'railKey' | 'payee'>;

/** A payee who was paid more often is for a person to look at. */
const MOST_PAGES = 100;

export class CircleSight {
  constructor(
    private readonly client: CircleClient,
    private readonly treasury: Treasury,
    private readonly wallets: Wallets,
  ) {}

  async look({ railKey, payee }: Asked, attempt: Try | null, call?: RailCall): Promise<Seen> {
    const place = await this.treasury.place(call?.signal);
    if (place.kind !== 'done') return place;
    const nothing = { kind: 'nothing', place: place.found } as const;
    const wallet = await this.wallets.known(payee.id, place.found, call?.signal);
    if (wallet.kind !== 'done') return wallet;
    if (wallet.found === null) return nothing;
    const legs = await this.legs(railKey, { place: place.found, wallet: wallet.found, attempt }, call);
    if (legs.kind !== 'done') return legs;
    if (legs.found.length === 0) return nothing;
    const at = { wallet: wallet.found, place: place.found };
    const tries = await this.tries(railKey, legs.found, at, call);
    if (tries.kind !== 'done') return tries;
    const live = tries.found.filter((each) => !isOver(each));
    if (live.length > 1) return tooMany('first legs');
    const last = [...tries.found].sort((one, other) => other.number - one.number)[0];
    const sight = live[0] ?? last;
    return sight ? { kind: 'seen', sight } : nothing;
  }

  /** All that were sent to this wallet for it, the last one first. What we know to be there may not be listed yet. */
  private async legs(
    railKey: string,
    { place, wallet, attempt }: { place: Place; wallet: KnownWallet; attempt: Try | null },
    call?: RailCall,
  ): Promise<Told<Transaction[]>> {
    const known = attempt?.transactionId ?? null;
    const listed = { walletIds: place.treasuryId, destinationAddress: wallet.address };
    const answer = await this.all(listed, ({ id }) => id === known, call);
    if (answer.kind !== 'done') return answer;
    const legs = answer.found.filter(({ refId }) => isOf(referenceOf(refId), 'pay', railKey));
    if (known === null || legs.some(({ id }) => id === known)) return { kind: 'done', found: legs };
    const one = await this.client.transaction(known, call?.signal);
    if (one.kind === 'done') return { kind: 'done', found: [one.found.data.transaction, ...legs] };
    // Another treasury knows nothing of it.
    const isElsewhere = one.kind === 'rejected' && call?.movesNothing === 'sent_elsewhere';
    return isElsewhere ? { kind: 'done', found: legs } : one;
  }

  private async tries(
    railKey: string,
    legs: Transaction[],
    at: Pick<Sight, 'wallet' | 'place'>,
    call?: RailCall,
  ): Promise<Told<Sight[]>> {
    const arrived = legs.filter(({ state }) => state === 'COMPLETE').map(({ createDate }) => Date.parse(createDate));
    const from = arrived.length === 0 ? null : new Date(Math.min(...arrived)).toISOString();
    const outs =
      from === null
        ? { kind: 'done' as const, found: [] }
        : await this.all({ walletIds: at.wallet.id, from }, () => false, call);
    if (outs.kind !== 'done') return outs;
    const found = legs.map((leg): Sight => {
      const number = referenceOf(leg.refId)?.number ?? 1;
      return { railKey, number, leg, ...at, ...outOf({ railKey, number }, outs.found) };
    });
    return { kind: 'done', found };
  }

  private async all(
    listed: Listed,
    isEnough: (transaction: Transaction) => boolean,
    call?: RailCall,
  ): Promise<Told<Transaction[]>> {
    const all: Transaction[] = [];
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer = await this.client.transactions(listed, all.at(-1)?.id ?? null, call?.signal);
      if (answer.kind !== 'done') return answer;
      const { transactions } = answer.found.data;
      all.push(...transactions);
      if (transactions.length < PAGE_SIZE || transactions.some(isEnough)) return { kind: 'done', found: all };
    }
    return tooMany('pages');
  }
}

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

const isOf = (reference: Reference | null, kind: Reference['kind'], railKey: string): boolean =>
  reference?.kind === kind && reference.railKey === railKey;

const tooMany = (what: string): { kind: 'unsure'; detail: string } => ({
  kind: 'unsure',
  detail: `Circle shows more ${what} than one payout can have`,
});
