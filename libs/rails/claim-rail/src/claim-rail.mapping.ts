/** PayPal's words in ours. Only an explicit yes or no ends a payout: what stands in no table is unknown. */
import {
  codeTold,
  type Echo,
  type LookupFact,
  type NotNow,
  ourAmount,
  providerDigits,
  type RailFee,
  type RailTraits,
  type Refused,
  sentenceTold,
  type SubmitFact,
  type Unknown,
} from '#libs/rail-kit';
import type { Batch, Item, Money, Problem } from './paypal.shapes';

type Words = Pick<RailTraits, 'amounts'>;

/** Of one refusal: the first ones say what to mend. */
const MOST_ISSUES = 5;

/** Of a call that PayPal turned away: nothing was made of it. */
const REFUSALS = new Map<string, Refused['failure']>([
  ['VALIDATION_ERROR', 'permanent'],
  ['INVALID_REQUEST', 'permanent'],
  ['RECEIVER_COUNTRY_NOT_ALLOWED', 'permanent'],
  ['RECEIVING_LIMIT_EXCEEDED', 'permanent'],
  ['INSUFFICIENT_FUNDS', 'funding'],
  ['AUTHENTICATION_FAILURE', 'credentials'],
  ['NOT_AUTHORIZED', 'credentials'],
  ['AUTHORIZATION_ERROR', 'credentials'],
  ['PERMISSION_DENIED', 'credentials'],
  ['SENDER_ACCOUNT_LOCKED', 'credentials'],
  ['SENDER_ACCOUNT_UNVERIFIED', 'credentials'],
  ['SENDER_RESTRICTED', 'credentials'],
]);

/** Why an item failed, if not for good. */
const ITEM_FAILURES = new Map<string, Refused['failure']>([
  ['INSUFFICIENT_FUNDS', 'funding'],
  ['SENDER_ACCOUNT_LOCKED', 'credentials'],
  ['SENDER_ACCOUNT_UNVERIFIED', 'credentials'],
  ['SENDER_RESTRICTED', 'credentials'],
]);

/** A batch of which no item is told yet. */
const BATCHES = new Map<string, (providerRef: string) => SubmitFact>([
  ['PENDING', (providerRef) => ({ kind: 'accepted', providerRef })],
  ['PROCESSING', (providerRef) => ({ kind: 'accepted', providerRef })],
  ['CANCELED', () => ({ kind: 'refused', failure: 'permanent', reason: 'the batch was cancelled at PayPal' })],
]);

type Telling = (told: { providerRef: string; echo: Echo; fee?: RailFee }, item: Item) => SubmitFact;
const onItsWay: Telling = (told) => ({ kind: 'accepted', ...told });
const settled: Telling = (told, { time_processed }) => ({
  ...{ kind: 'settled', ...told },
  settledAt: time_processed === undefined ? null : new Date(time_processed),
});

const ITEMS = new Map<string, Telling>([
  ['PENDING', onItsWay],
  ['UNCLAIMED', (told) => ({ kind: 'awaiting_payee', ...told, claimUrl: null })],
  // The payee came for it, and PayPal looks into it.
  ['ONHOLD', (told) => ({ kind: 'claimed', ...told })],
  ['SUCCESS', settled],
  // To be sent it once more, PayPal says that it did; that it came back is told by `stateOf`.
  ['REFUNDED', settled],
  ['REVERSED', settled],
  ['FAILED', (_, { errors }) => failed(errors?.name)],
  ['BLOCKED', () => ({ kind: 'refused', failure: 'permanent', reason: 'PayPal blocked the payment' })],
  ['RETURNED', () => ({ kind: 'refused', failure: 'expired', reason: 'nobody claimed it within 30 days' })],
]);

/** Of a batch that came to nothing: not of a payment that went out all the same. */
const CAME_TO_NOTHING = ['DENIED', 'CANCELED'];
const WENT_OUT = ['UNCLAIMED', 'ONHOLD', 'SUCCESS', 'REFUNDED', 'REVERSED'];

/** What came of a batch of one payment. */
export function factOf(
  { batch_header: { payout_batch_id, batch_status }, items = [] }: Batch,
  words: Words,
): SubmitFact {
  const [item, ...others] = items;
  if (others.length > 0) return unreadable(`PayPal shows ${items.length} payments in a batch of one`, items);
  const contradiction = contradictionOf(batch_status, item);
  if (contradiction) return contradiction;
  if (batch_status === 'DENIED') return denied(item?.errors?.name);
  const status = batch_status === 'CANCELED' ? undefined : item?.transaction_status;
  if (item !== undefined && status !== undefined) return itemFact(item, status, payout_batch_id, words);
  const known = BATCHES.get(batch_status);
  return known ? known(payout_batch_id) : unmapped('batch status', batch_status);
}

/** Of a payout that failed it is news if one of them went out. */
const unreadable = (detail: string, items: Item[]): Unknown => ({
  ...{ kind: 'unknown', detail },
  ...(items.some(({ transaction_status = '' }) => WENT_OUT.includes(transaction_status)) ? { contradicts: true } : {}),
});

function contradictionOf(batchStatus: string, item?: Item): SubmitFact | null {
  const status = item?.transaction_status ?? '';
  if (!CAME_TO_NOTHING.includes(batchStatus) || !WENT_OUT.includes(status)) return null;
  return { kind: 'unknown', contradicts: true, detail: `PayPal shows a batch ${batchStatus} with a payment ${status}` };
}

function itemFact(item: Item, status: string, providerRef: string, words: Words): SubmitFact {
  const telling = ITEMS.get(status);
  if (!telling) return unmapped('transaction status', status);
  const echo = amountOf(item.payout_item.amount, words);
  if (!echo) return unreadable('PayPal tells no amount that can be read', [item]);
  const fee = item.payout_item_fee && amountOf(item.payout_item_fee, words);
  return telling({ providerRef, echo, ...(fee ? { fee } : {}) }, item);
}

/** What a look-up tells. PayPal sends all of it back, and keeps its own fee apart. */
export function stateOf(batch: Batch, words: Words): LookupFact {
  const fact = factOf(batch, words);
  const status = batch.items?.[0]?.transaction_status;
  const cameBack = status === 'REFUNDED' || status === 'REVERSED';
  return fact.kind === 'settled' && cameBack ? { kind: 'bounced', feeCents: 0 } : fact;
}

/** A call that was turned away. */
export function refusalOf({ name, details = [] }: Problem): SubmitFact {
  const failure = REFUSALS.get(name);
  if (!failure) return unmapped('error', name);
  const issues = details.flatMap(({ issue }) => (issue === undefined ? [] : sentenceTold(issue))).slice(0, MOST_ISSUES);
  return { kind: 'refused', failure, reason: [name, ...issues].join(': ') };
}

export function notNow(afterSeconds: number): NotNow {
  return { kind: 'not_now', afterSeconds, detail: `PayPal wants a rest of ${afterSeconds} seconds` };
}

/** PayPal names the batch that a used `sender_batch_id` belongs to by a link. Only its last part is read, and nothing is fetched there. */
export function batchBefore({ name, links = [] }: Problem): string | null {
  if (name !== 'USER_BUSINESS_ERROR' && name !== 'DUPLICATE_REQUEST_ID') return null;
  for (const { href = '' } of links) {
    const [, id] = /\/v1\/payments\/payouts\/([A-Za-z0-9_-]{1,64})$/.exec(href) ?? [];
    if (id !== undefined) return id;
  }
  return null;
}

export function amountOf({ value, currency }: Money, words: Words): Echo | null {
  if (!/^[A-Z]{3}$/.test(currency)) return null;
  const amountCents = ourAmount(value, currency, providerDigits(words, currency));
  return amountCents === null ? null : { amountCents, currency };
}

/** It says why, or the money was not there. */
const denied = (name?: string): Refused =>
  name === undefined ? { kind: 'refused', failure: 'funding', reason: 'PayPal denied the batch' } : failed(name);

const failed = (name?: string): Refused => ({
  ...{ kind: 'refused', failure: ITEM_FAILURES.get(name ?? '') ?? 'permanent' },
  reason: `PayPal could not pay it: ${name === undefined ? 'no reason' : codeTold(name)}`,
});

const unmapped = (what: string, word: string): SubmitFact => ({
  kind: 'unknown',
  detail: `${what} '${codeTold(word)}' is not mapped`,
});
