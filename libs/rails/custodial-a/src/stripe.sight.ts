/** What Stripe has of a payout: its transfer to the payee's account, the payout from there to the bank, and whether that was paid once. */
import type { RailOrder, RailStore } from '#libs/rail-kit';
import { codeOf, isForbidden } from './custodial-a.mapping';
import { isUnknownAccount } from './standing';
import { PAID, type StripeAnswer, type StripeClient } from './stripe.client';
import type { List, PaidEvent, Payout, Transfer } from './stripe.shapes';

export interface Sight {
  transfer: Transfer;
  /** The try that it was made under. */
  number: number;
  payout: Payout | null;
  /** The payout was paid, though it may have failed since. */
  wasPaid: boolean;
  /** Stripe did not take the payout: what it said. Written down before the money is pulled back. */
  notPaidOut: NotPaidOut | null;
  /** Stripe shows us the account of its payee no more. */
  isClosed?: true;
}

// A type and not an interface: only that is a record of the store.
export type NotPaidOut = { failure: 'permanent' | 'transient' | 'account'; reason: string };

export type Seen =
  | { kind: 'seen'; sight: Sight }
  /** Stripe has no transfer of it. */
  | { kind: 'nothing' }
  /** `last`: what there is of the last transfer, beside money of an earlier one, or one of its payouts beside another. */
  | { kind: 'unsure'; detail: string; contradicts?: true; last?: Sight }
  | Unanswered;

type Unanswered = Exclude<StripeAnswer<never>, { kind: 'done' }>;

/** More than that nobody has who was paid once. */
const MOST_PAGES = 20;

export class StripeSight {
  constructor(
    private readonly client: StripeClient,
    private readonly store: RailStore,
  ) {}

  async look({ railKey, accountId }: Pick<RailOrder, 'railKey' | 'accountId'>, signal?: AbortSignal): Promise<Seen> {
    const answer = await this.client.transfers(railKey, signal);
    if (answer.kind !== 'done') return answer;
    const { data, has_more } = answer.found;
    const ours = data.filter(({ metadata }) => metadata.rail_key === railKey);
    const transfer = ours.find(({ reversed }) => !reversed) ?? lastOf(ours);
    if (has_more) return tooMany('transfers');
    if (ours.filter(({ reversed }) => !reversed).length > 1) return { ...tooMany('transfers'), contradicts: true };
    // Where only others are listed, ours is not known to be missing.
    if (!transfer) return data.length > 0 ? OTHERS : { kind: 'nothing' };
    if (accountId !== null && transfer.destination !== accountId)
      return { kind: 'unsure', detail: 'Stripe shows a transfer to another account' };
    return this.with(transfer, ours, signal);
  }

  /** Stripe will not pay it out, now and later: whoever writes it first decides why. */
  async notPaidOut({ id }: Transfer, said: NotPaidOut): Promise<NotPaidOut> {
    return this.store.claim<NotPaidOut>(`not_paid_out:${id}`, said);
  }

  /** Under which key it is paid out: that of the first call of ours that was to do it, whichever call asks now. */
  async payoutKey({ id }: Transfer, key: string): Promise<string> {
    return (await this.store.claim(`payout_key:${id}`, { key })).key;
  }

  private async with(transfer: Transfer, all: Transfer[], signal?: AbortSignal): Promise<Seen> {
    const since = Math.min(...all.map(({ created }) => created));
    const answer = await this.all<Payout>((after) => this.client.payouts(transfer.destination, since, after, signal));
    if (answer.kind === 'rejected' && isUnknownAccount(answer.status, answer.problem)) return closed(transfer);
    if (answer.kind !== 'done') return answer;
    const others = all.filter(({ id }) => id !== transfer.id);
    const isBeside = answer.found.some((payout) => isOut(payout) && others.some((each) => isOf(payout, each)));
    const ours = answer.found.filter((payout) => isOf(payout, transfer));
    const alive = ours.filter(isOut);
    const isTwice = alive.length > 1;
    if (ours.length > 1 && !isTwice) return tooMany('payouts');
    const [payout = null] = isTwice ? alive : ours;
    const paid =
      payout === null ? { kind: 'done' as const, found: false } : await this.wasPaid(payout, transfer, signal);
    if (paid.kind !== 'done') return paid;
    const notPaidOut = await this.store.read<NotPaidOut>(`not_paid_out:${transfer.id}`);
    const sight = { transfer, number: tryOf(transfer), payout, wasPaid: paid.found, notPaidOut };
    if (isTwice) return { ...tooMany('payouts'), contradicts: true, last: sight };
    return isBeside ? { ...AT_THE_BANK, last: sight } : { kind: 'seen', sight };
  }

  /** Whether it is paid. If so that is written down: it may fail afterwards. */
  async notedPaid({ id, status }: Payout): Promise<boolean> {
    if (status === 'paid') await this.store.claim(paidOf(id), { seen: true });
    return status === 'paid';
  }

  /** Of a payout that failed only its events tell whether it was paid before, and not for ever. */
  private async wasPaid(payout: Payout, { destination }: Transfer, signal?: AbortSignal): Promise<Told<boolean>> {
    const isPaid = await this.notedPaid(payout);
    if (payout.status !== 'failed') return { kind: 'done', found: isPaid };
    if (await this.store.read(paidOf(payout.id))) return { kind: 'done', found: true };
    const events = await this.all<PaidEvent>((after) =>
      this.client.paidEvents(destination, payout.created, after, signal),
    );
    if (events.kind !== 'done') return events;
    const found = events.found.some(({ type, data }) => type === PAID && data.object.id === payout.id);
    if (found) await this.store.claim(paidOf(payout.id), { seen: true });
    return { kind: 'done', found };
  }

  /** Of one connected account. */
  private async all<Each extends { id: string }>(
    page: (after: string | null) => Promise<StripeAnswer<List<Each>>>,
  ): Promise<Told<Each[]>> {
    const all: Each[] = [];
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer = await page(all.at(-1)?.id ?? null);
      if (answer.kind !== 'done') return ofOneAccount(answer);
      const { data, has_more } = answer.found;
      all.push(...data);
      if (!has_more) return { kind: 'done', found: all };
      if (data.length === 0) return EMPTY_PAGE;
    }
    return tooMany('pages');
  }
}

const paidOf = (id: string): string => `paid:${id}`;

/** Stripe listed transfers with this key a moment ago: what it forbids of one account says nothing of the key. */
function ofOneAccount(answer: Unanswered): Unanswered {
  if (answer.kind !== 'rejected' || !isForbidden(answer.status)) return answer;
  if (isUnknownAccount(answer.status, answer.problem)) return answer;
  return { kind: 'unclear', detail: `Stripe does not let us see the account: ${codeOf(answer.problem.error)}` };
}

/** All of it lies with us again, whatever became of it there; or nobody can see whether it was paid out. */
function closed(transfer: Transfer): Seen {
  if (!transfer.reversed) return { kind: 'unsure', detail: CLOSED };
  const seen = { transfer, number: tryOf(transfer), payout: null, wasPaid: false, notPaidOut: TAKEN_BACK };
  return { kind: 'seen', sight: { ...seen, isClosed: true } };
}

const TAKEN_BACK: NotPaidOut = {
  failure: 'account',
  reason: 'the account of its payee is closed to us, and the transfer was taken back',
};
const CLOSED =
  'Stripe shows us the account of its payee no more: find out there whether it was paid out, and reverse the transfer if not';

const isOf = ({ metadata }: Payout, { id }: Transfer): boolean => metadata.transfer === id;
const isOut = ({ status }: Payout): boolean => status !== 'failed' && status !== 'canceled';

/** It was over before the next transfer was made. To send one more could pay twice, however many were made since. */
const AT_THE_BANK = {
  kind: 'unsure',
  contradicts: true,
  detail: 'Stripe shows a payout of an earlier transfer that came to nothing',
} as const;
const EMPTY_PAGE = { kind: 'unsure', detail: 'Stripe lists nothing on a page that others follow' } as const;
const OTHERS: Seen = { kind: 'unsure', detail: 'Stripe lists other transfers than were asked for' };

type Told<Found> = { kind: 'done'; found: Found } | Exclude<Seen, { kind: 'seen' | 'nothing' }>;

const tooMany = (what: string): { kind: 'unsure'; detail: string } => ({
  kind: 'unsure',
  detail: `Stripe shows more ${what} than one payout can have`,
});

/** Of the last try: the clock of Stripe counts in seconds. */
const lastOf = (transfers: Transfer[]): Transfer | undefined =>
  [...transfers].sort((one, other) => tryOf(other) - tryOf(one))[0];

/** One that somebody took the number from is not made once more. */
const tryOf = ({ metadata }: Transfer): number =>
  /^[1-9][0-9]{0,8}$/.test(metadata.try ?? '') ? Number(metadata.try) : Number.MAX_SAFE_INTEGER;
