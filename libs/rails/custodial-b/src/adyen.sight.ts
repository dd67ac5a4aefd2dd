/** What Adyen shows of a payout. Its transfers are found by their reference: nothing depends on what we remember of them. */
import { type RailCall, type RailClock, type RailOrder, type RailStore } from '#libs/rail-kit';
import type { AdyenAnswer, AdyenClient } from './adyen.client';
import type { Transfer } from './adyen.shapes';
import { stateOf } from './custodial-b.mapping';
import { bookedIn, bookedUpTo, firstToLookAt, type Known, knownRounds, lastKnown, shownSoFar } from './known-rounds';
import { railKeyOf, referenceOf } from './references';
import { accountOf, isBooked, isOff, livingOf, type NotPaidOut, type Round, sorted, wasBooked } from './round';

export type Seen =
  /** The one that lives, or the last that Adyen shows; and which one comes after all that Adyen showed. */
  | { kind: 'seen'; round: Round; next: number }
  /** Adyen has no transfer of it. */
  | { kind: 'nothing' }
  | Unseen;
export type Unseen =
  { kind: 'unsure'; detail: string; contradicts?: true } | Exclude<AdyenAnswer<never>, { kind: 'done' }>;

const DAY_MS = 86_400_000;
/** Adyen lists six months at most; a month may have 28 days, and its clock is not ours. */
export const WINDOW_MS = 150 * DAY_MS;
const MOST_PAGES = 5;
/** So often a bank sent the money of one payout back: what was before that is not looked at. */
const MOST_BOOKED = 20;
const ASKED_AT_ONCE = 10;

interface SightParts {
  client: AdyenClient;
  store: RailStore;
  clock: RailClock;
  balancePlatform: string;
  balanceAccount: string;
}

type Asked = Pick<RailOrder, 'railKey' | 'payoutId' | 'accountId'>;

export class AdyenSight {
  constructor(private readonly parts: SightParts) {}

  /**
   * Round after round: a refused one has another after it, or will have. A round that Adyen showed once is there, even if it is not listed
   * now: sending the first round again would be another payment once its key is forgotten, and a refusal while it is known.
   */
  async look(order: Asked, call?: RailCall): Promise<Seen> {
    const known = await this.parts.store.read<Known>(keyOf(order));
    const shown = shownSoFar(known, call);
    let last: Seen = { kind: 'nothing' };
    const from = firstToLookAt(known);
    for await (const { number, seen } of this.rounds(order, { known, from }, call)) {
      if (seen.kind === 'nothing') return number <= shown ? NOT_SHOWN_ANY_MORE : last;
      if (seen.kind !== 'seen') return seen;
      const isOver = stateOf(seen.round, this.parts.clock.now()).kind === 'refused';
      // From there on none is left out, and of those before it all is said, or given up.
      await this.remember(order, { known, round: seen.round, isOver, isInARow: number >= from });
      last = { ...seen, next: Math.max(number, known?.round ?? 0) + 1 };
      if (!isOver) return last;
    }
    return last;
  }

  /** Up to the last that is known here they are asked about together: whoever waits has not long. Those beyond it one by one. */
  private async *rounds(
    order: Asked,
    { known, from }: { known: Known | null; from: number },
    call?: RailCall,
  ): AsyncGenerator<{ number: number; seen: SeenRound }> {
    const toAsk = async (number: number): Promise<{ number: number; seen: SeenRound }> => ({
      number,
      seen: await this.round(order, number, known?.since ?? null, call?.signal),
    });
    const numbers = knownRounds(known, from);
    for (let at = 0; at < numbers.length; at += ASKED_AT_ONCE)
      yield* await Promise.all(numbers.slice(at, at + ASKED_AT_ONCE).map(toAsk));
    for (let number = Math.max(from, lastKnown(known) + 1); ; number += 1) yield await toAsk(number);
  }

  /** One that comes after those that a look shows. */
  async another(order: Asked, number: number, call?: RailCall): Promise<SeenRound> {
    const known = await this.parts.store.read<Known>(keyOf(order));
    const seen = await this.round(order, number, known?.since ?? null, call?.signal);
    const isThere = number <= Math.max(known?.made ?? 0, shownSoFar(known, call));
    return seen.kind === 'nothing' && isThere ? NOT_SHOWN_ANY_MORE : seen;
  }

  /** Adyen answered that it made it. Before the first round there is none that it could be mistaken for. */
  async isThere(order: Asked, number: number): Promise<void> {
    if (number === 1) return;
    await this.parts.store.update<Known>(keyOf(order), (now) => ({ ...now, made: number }));
  }

  /** Before anything is sent: from when on it is to be looked for. */
  async begins({ railKey, payoutId }: Asked): Promise<void> {
    const since = this.parts.clock.now().toISOString();
    await this.parts.store.claimFor<Known>(payoutId, keyOf({ railKey }), {
      since,
      round: 1,
      booked: '',
      bookedUpTo: 0,
    });
  }

  /** The first to write it decides why the money does not go to the bank. */
  notPaidOut({ id }: Transfer, said: NotPaidOut): Promise<NotPaidOut> {
    return this.parts.store.claim<NotPaidOut>(`not_paid_out:${id}`, said);
  }

  /** The name of the first transfer of a round; null if Adyen does not show it. */
  async fundOf(reference: string, signal?: AbortSignal): Promise<string | null> {
    const known = await this.parts.store.read<Known>(keyOf({ railKey: railKeyOf(reference) }));
    const all = await this.all(reference, known?.since ?? null, signal);
    if (all.kind !== 'done') throw new Error('Adyen does not show what a transfer is of');
    const found = sorted(all.found, this.parts.balanceAccount);
    return typeof found === 'string' ? null : found.fund.id;
  }

  private async round(order: Asked, number: number, since: string | null, signal?: AbortSignal): Promise<SeenRound> {
    const all = await this.all(referenceOf(order.railKey, number), since, signal);
    if (all.kind !== 'done') return all;
    const found = sorted(all.found, this.parts.balanceAccount);
    if (found === 'none') return { kind: 'nothing' };
    if (typeof found === 'string') return { ...OTHERS, ...(found === 'twice' ? { contradicts: true } : {}) };
    if (isOfAnother(order, found.fund, all.found))
      return { kind: 'unsure', detail: 'Adyen shows a transfer to another account' };
    const notPaidOut = await this.parts.store.read<NotPaidOut>(`not_paid_out:${found.fund.id}`);
    const wasPaid = await this.wasPaid(found.banks);
    return { kind: 'seen', round: { number, ...found, notPaidOut, wasPaid } };
  }

  /** Of a transfer that failed its events tell whether it was booked before. What was seen is written down, should they be left out. */
  private async wasPaid(banks: Transfer[]): Promise<boolean> {
    const bank = livingOf(banks);
    if (!bank) return false;
    const key = `paid:${bank.id}`;
    if (isBooked(bank)) await this.parts.store.claim(key, { seen: true });
    if (wasBooked(bank) || bank.status === 'returned') return true;
    return isOff(bank) && (await this.parts.store.read(key)) !== null;
  }

  /** All with this reference, window after window: since it was begun, and for half a year at least. */
  private async all(reference: string, since: string | null, signal?: AbortSignal): Promise<Told<Transfer[]>> {
    const now = this.parts.clock.latest().getTime();
    const begun = since === null ? this.parts.clock.now().getTime() : Date.parse(since) - DAY_MS;
    const all = new Map<string, Transfer>();
    for (let until = now + DAY_MS; ; until -= WINDOW_MS) {
      const from = until - WINDOW_MS;
      const answer = await this.window(reference, from, until, signal);
      if (answer.kind !== 'done') return answer;
      for (const transfer of answer.found) all.set(transfer.id, transfer);
      if (from <= begun) return { kind: 'done', found: [...all.values()] };
    }
  }

  private async window(
    reference: string,
    from: number,
    until: number,
    signal?: AbortSignal,
  ): Promise<Told<Transfer[]>> {
    const { client, balancePlatform } = this.parts;
    const [createdSince, createdUntil] = [from, until].map((at) => new Date(at).toISOString()) as [string, string];
    const listed: Transfer[] = [];
    const window = { createdSince, createdUntil, sortOrder: 'desc' };
    let asked: Record<string, string> = { balancePlatform, reference, ...window };
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer = await client.transfers(asked, signal);
      if (answer.kind !== 'done') return answer;
      listed.push(...answer.found.data);
      const cursor = cursorOf(answer.found._links?.next?.href);
      if (cursor === null) return named(listed, reference);
      if (cursor === 'unreadable') return { kind: 'unsure', detail: UNREADABLE_PAGE };
      asked = { ...asked, cursor: cursor.after };
    }
    return { kind: 'unsure', detail: 'Adyen shows more transfers than one payout can have' };
  }

  /** A round that is over mostly stays so: the next look begins a few rounds before it. What was booked is written before it goes on. */
  private async remember(
    order: Asked,
    { known, round: { number, fund }, isOver, isInARow }: Remembered,
  ): Promise<void> {
    const round = isOver ? number : 1;
    const booked = isBooked(fund) ? [number] : [];
    const upTo = isOver && isInARow ? number : 0;
    const isSaid = booked.every((each) => bookedIn(known).includes(each)) && upTo <= (bookedUpTo(known) ?? 0);
    if (known && known.round >= round && (known.shown ?? 0) >= number && isSaid) return;
    await this.begins(order);
    await this.parts.store.update<Known>(keyOf(order), (now) => ({
      ...now,
      round: Math.max(now.round, round),
      shown: Math.max(now.shown ?? 0, number),
      booked: [...new Set([...bookedIn(now), ...booked])].slice(-MOST_BOOKED).join(' '),
      bookedUpTo: Math.max(bookedUpTo(now) ?? 0, upTo),
    }));
  }
}

interface Remembered {
  known: Known | null;
  round: Round;
  isOver: boolean;
  isInARow: boolean;
}

type SeenRound = { kind: 'seen'; round: Round } | Exclude<Seen, { kind: 'seen' }>;

const OTHERS = { kind: 'unsure', detail: 'Adyen shows other transfers than one payout can have' } as const;
const NOT_SHOWN_ANY_MORE: Unseen = {
  kind: 'unsure',
  detail: 'Adyen does not show a transfer any more that it showed before',
};

/** Where only others are listed, this is not known to be missing. */
function named(listed: readonly Transfer[], reference: string): Told<Transfer[]> {
  const found = listed.filter((each) => each.reference === reference);
  if (found.length === 0 && listed.length > 0)
    return { kind: 'unsure', detail: 'Adyen lists other transfers than were asked for' };
  return { kind: 'done', found };
}

type Told<Found> = { kind: 'done'; found: Found } | Unseen;

const keyOf = ({ railKey }: Pick<Asked, 'railKey'>): string => `payout:${railKey}`;

/** The account on the payee's side shows in transfers from there, and in those that arrived there. */
function isOfAnother({ accountId }: Asked, fund: Transfer, all: readonly Transfer[]): boolean {
  const account = accountOf(fund);
  const holders = all.flatMap(({ balanceAccount, accountHolder }) =>
    balanceAccount?.id === account && accountHolder?.id !== undefined ? [accountHolder.id] : [],
  );
  return accountId !== null && holders.some((holder) => holder !== accountId);
}

/**
 * Adyen gives the next page as an address; only its cursor is used, because we asked for the rest. null: there is no other page.
 */
export function cursorOf(href: string | undefined): { after: string } | 'unreadable' | null {
  const base = 'https://adyen.invalid';
  if (href === undefined) return null;
  const after = URL.canParse(href, base) ? new URL(href, base).searchParams.get('cursor') : null;
  return after ? { after } : 'unreadable';
}

export const UNREADABLE_PAGE = 'Adyen lists more on a page whose address cannot be read';
