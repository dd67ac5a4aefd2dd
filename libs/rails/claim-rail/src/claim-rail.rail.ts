/** Orders become calls, answers become facts. */
import {
  afterSending,
  codeTold,
  type LookupAnswer,
  type Notice,
  type NoticeReading,
  ofAllNames,
  ourAmount,
  providerAmount,
  providerDigits,
  type Rail,
  type RailCall,
  type RailFunds,
  type RailOrder,
  type ReadsNotices,
  type ReportsFunding,
  type SubmitAnswer,
  type VerificationAnswer,
  type Verifies,
  withOneInDoubt,
} from '#libs/rail-kit';
import { Batches, detailOf, type Named as OneBatch, NOT_HERE, type Reading, type Words } from './batches';
import { batchBefore, factOf, notNow, refusalOf, stateOf } from './claim-rail.mapping';
import type { NewBatch, PaypalAnswer, PaypalClient } from './paypal.client';
import type { PaypalNotices } from './paypal.notices';
import type { Batch } from './paypal.shapes';
import { earlierOf, endedOf, isInDoubt, isUnsent, senderBatchId, type Tries, type Try } from './tries';

/** A payee without an address cannot be sent anything; the core keeps such a payout away. */
const NO_ADDRESS = { kind: 'refused', failure: 'permanent', reason: 'the payee has no e-mail address' } as const;
const NO_AMOUNT = { kind: 'refused', failure: 'permanent', reason: 'no amount that PayPal can count' } as const;
const IN_DOUBT = {
  kind: 'unknown',
  detail:
    'sent before with an answer that was lost, and may have left otherwise since: to ask PayPal would be to send it',
} as const;
const GOES_ON = { kind: 'unknown', detail: 'another call sent it meanwhile, or knows what became of it' } as const;
const TRIED_AGAIN_SECONDS = 30;
/** It is tried by itself some four times a day; a call that runs out of time goes on from there the next time. */
const MOST_NAMES = 1_000;
const TOO_MANY_NAMES = {
  kind: 'unknown',
  detail: `PayPal knows ${MOST_NAMES} batches of it that came to nothing: look for the last one in the PayPal account`,
} as const;
/** PayPal cuts nothing itself: it turns away what is longer. */
const SUBJECT_LENGTH = 255;

interface Named extends OneBatch {
  attempt: Try;
}

interface Asking {
  reading: Reading;
  /** A send: what PayPal used up may be followed by the next name. */
  follows: boolean;
}

const SENT: Asking = { reading: factOf, follows: true };
const ASKED: Asking = { reading: stateOf, follows: false };

export class ClaimRail implements Rail, ReadsNotices, ReportsFunding, Verifies {
  readonly #client: PaypalClient;
  readonly #batches: Batches;
  readonly #tries: Tries;
  readonly #notices: PaypalNotices;
  readonly #account: { words: Words; mode: 'live' | 'sandbox' };

  constructor(
    client: PaypalClient,
    tries: Tries,
    notices: PaypalNotices,
    account: { words: Words; mode: 'live' | 'sandbox' },
  ) {
    this.#client = client;
    this.#batches = new Batches(client, account.words);
    this.#tries = tries;
    this.#notices = notices;
    this.#account = account;
  }

  async submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    const batch = batchOf(order, this.#account.words);
    if ('kind' in batch) return batch;
    // PayPal may pay what it denied before: then nothing is sent beside it.
    const known = await this.#tries.current(order.railKey);
    const earlier = known && (await this.#batches.ended(order, endedOf(known), SENT.reading, call));
    const out = earlier && beforeTheLast(order, known, earlier);
    if (out) return out as SubmitAnswer;
    const attempt = await this.#tries.toSend(order.railKey);
    return (await this.#ask(order, attempt, SENT, call)) as SubmitAnswer;
  }

  /**
   * PayPal finds a batch by the id that it gave it. If its answer was lost, the only way to that id is to send the same batch once more:
   * PayPal answers with the one that it has, or makes the one that it never got. Nothing is sent if there is no doubt, if the payout is at
   * rest, with another account, which knows nothing of it, or under the next name, which only a send begins.
   */
  async lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    const known = await this.#tries.current(order.railKey);
    if (known === null) return NOT_HERE;
    const attempt = await this.#asTold(order, known, call);
    const earlier = await this.#batches.ended(order, earlierOf(attempt), ASKED.reading, call);
    const out = attempt.batchId === null ? beforeTheLast(order, attempt, earlier) : null;
    if (out) return out;
    return ofAllNames(order, await this.#state(order, attempt, call), earlier);
  }

  async readNotice(notice: Notice, call?: RailCall): Promise<NoticeReading> {
    const { batchId, ...reading } = await this.#notices.read(notice, call?.signal);
    const told = batchId && reading.kind === 'hints' ? reading.railKeys : [];
    for (const railKey of told) await this.#tries.told(railKey, String(batchId));
    return reading;
  }

  async funding(call?: RailCall): Promise<RailFunds[]> {
    const answer = await this.#client.readBalances(call?.signal);
    if (answer.kind !== 'done') throw new Error(`PayPal told no balances: ${detailOf(answer)}`);
    const { words } = this.#account;
    return answer.found.balances.flatMap(({ currency, available_balance }) => {
      const told = available_balance?.value ?? '';
      const availableCents = told.startsWith('-') ? 0 : ourAmount(told, currency, providerDigits(words, currency));
      return availableCents === null ? [] : [{ currency, availableCents }];
    });
  }

  async verify(call?: RailCall): Promise<VerificationAnswer> {
    const answer = await this.#client.readBalances(call?.signal);
    if (answer.kind === 'done') return { kind: 'works', account: answer.found.account_id, mode: this.#account.mode };
    if (answer.kind === 'later') return notNow(answer.afterSeconds);
    if (answer.kind === 'unknown_to_paypal') return { kind: 'rejected', detail: answer.detail };
    const isOurs = answer.kind === 'rejected' && (answer.status === 401 || answer.status === 403);
    return isOurs
      ? { kind: 'rejected', detail: codeTold(answer.problem.name) }
      : { kind: 'unknown', detail: detailOf(answer) };
  }

  /** Of the batch that it is under now. */
  async #state(order: RailOrder, attempt: Try, call?: RailCall): Promise<LookupAnswer> {
    if (isUnsent(attempt)) return NOT_HERE;
    if (attempt.batchId === null && call?.movesNothing) return call.movesNothing === 'at_rest' ? IN_DOUBT : NOT_HERE;
    return this.#ask(order, attempt, ASKED, call);
  }

  /**
   * Of what is in doubt a notice may have named the batch: then nothing has to be sent to find out. Not if PayPal shows it as another try's, or if nothing
   * came of it and the next name may be out.
   */
  async #asTold(order: RailOrder, attempt: Try, call?: RailCall): Promise<Try> {
    const { batchId, told } = attempt;
    if (batchId !== null || told === undefined) return attempt;
    const shown = await this.#batches.shown({ order, attempt, batchId: told }, call);
    if ('kind' in shown || this.#mayBeFollowed(attempt, ASKED.reading(shown, this.#account.words))) return attempt;
    await this.#tries.note(order.railKey, attempt, { batchId: told });
    return { ...attempt, batchId: told };
  }

  async #ask(order: RailOrder, attempt: Try, asking: Asking, call?: RailCall): Promise<LookupAnswer> {
    if (attempt.batchId !== null) return this.#read({ order, attempt, batchId: attempt.batchId }, asking, call);
    // It may be paid already, and PayPal would not know it again: nobody but a person who looks can tell.
    if (!this.#tries.isHonoured(attempt))
      return {
        kind: 'unknown',
        detail: 'sent more than 29 days ago and never answered: look for it in the PayPal account',
      };
    return this.#send(order, attempt, asking, call);
  }

  async #send(order: RailOrder, attempt: Try, asking: Asking, call?: RailCall): Promise<LookupAnswer> {
    const batch = batchOf(order, this.#account.words, attempt);
    if ('kind' in batch) return batch;
    if (asking.follows) await this.#tries.sending(order.railKey, attempt);
    else if (await call?.isStopped?.()) return IN_DOUBT;
    else if (!(await this.#tries.asking(order.railKey, attempt))) return GOES_ON;
    return this.#call(order, { attempt, batch }, asking, call);
  }

  /** It is counted. */
  async #call(
    order: RailOrder,
    { attempt, batch }: { attempt: Try; batch: NewBatch },
    asking: Asking,
    call?: RailCall,
  ): Promise<LookupAnswer> {
    const answer = await this.#client.createBatch(batch, call?.signal);
    if (answer.kind === 'unclear') return { kind: 'unknown', detail: answer.detail };
    if (answer.kind === 'done') {
      const { payout_batch_id: batchId, batch_status: status } = answer.found.batch_header;
      await this.#tries.note(order.railKey, attempt, { batchId });
      return this.#decided(order, attempt, asking.reading(sentBatch(batchId, status), this.#account.words));
    }
    const batchId = answer.kind === 'rejected' ? batchBefore(answer.problem) : null;
    if (batchId === null) return this.#turnedAway(order, attempt, answer);
    const named = { order, attempt, batchId };
    const shown = await this.#batches.shown(named, call);
    if ('kind' in shown) return afterSending(shown);
    const fact = asking.reading(shown, this.#account.words);
    if (!this.#mayBeFollowed(attempt, fact)) return this.#kept(named, fact);
    if (attempt.number >= MOST_NAMES) return TOO_MANY_NAMES;
    return asking.follows ? this.#follow(named, asking, call) : NOT_HERE;
  }

  async #follow({ order, attempt, batchId }: Named, asking: Asking, call?: RailCall): Promise<LookupAnswer> {
    const next = await this.#tries.following(order.railKey, attempt, batchId);
    if (!next) return GOES_ON;
    const batch = batchOf(order, this.#account.words, next);
    return 'kind' in batch ? batch : this.#call(order, { attempt: next, batch }, asking, call);
  }

  /**
   * PayPal had the name already, and nothing came of it. Unless a call of a moment ago brought it there, our own records may come from a
   * backup: then the payout may be paid under the next name, and if we called it refused its rows could leave under another code.
   */
  #mayBeFollowed(attempt: Try, fact: LookupAnswer): boolean {
    const mayBeTriedAgain = fact.kind === 'refused' && fact.failure !== 'permanent' && fact.failure !== 'expired';
    return mayBeTriedAgain && this.#tries.isOfBefore(attempt);
  }

  async #turnedAway(order: RailOrder, attempt: Try, answer: NothingDone): Promise<LookupAnswer> {
    const said = answer.kind === 'rejected' ? refusalOf(answer.problem) : notMade(answer);
    // A word that nobody mapped does not say that PayPal did nothing: the doubt stays.
    if (said.kind === 'unknown') return said;
    const isSure = await this.#tries.nothingCame(order.railKey, attempt);
    if (said.kind !== 'refused' || isSure) return said;
    return {
      kind: 'unknown',
      detail: `turned away now (${said.reason}), and sent before with an answer that was lost`,
    };
  }

  async #read(named: Named, asking: Asking, call?: RailCall): Promise<LookupAnswer> {
    const shown = await this.#batches.shown(named, call);
    return 'kind' in shown ? shown : this.#kept(named, asking.reading(shown, this.#account.words));
  }

  /** One that PayPal named for a used name is kept once it is known to be ours. */
  async #kept({ order, attempt, batchId }: Named, fact: LookupAnswer): Promise<LookupAnswer> {
    if (attempt.batchId === null) await this.#tries.note(order.railKey, attempt, { batchId });
    return this.#decided(order, attempt, fact);
  }

  /** Only what PayPal said of a batch of its own ends a try: a call that was turned away has used nothing up. */
  async #decided(order: RailOrder, attempt: Try, fact: LookupAnswer): Promise<LookupAnswer> {
    if (fact.kind !== 'refused') return fact;
    // Another call went on to the next name since: of that one this says nothing.
    return (await this.#tries.note(order.railKey, attempt, { refused: true })) ? fact : GOES_ON;
  }
}

/**
 * What there is of earlier batches before the last one is sent, or asked about by sending it: that would be beside what is out. If the last one may
 * be there, it is told as out with it. What came back is not out: the last one may be. null: nothing keeps that back.
 */
function beforeTheLast(order: RailOrder, last: Try, earlier: LookupAnswer[]): LookupAnswer | null {
  const out = ofAllNames(order, null, earlier);
  if (!out || !isInDoubt(last)) return out;
  return out.kind === 'bounced' ? null : withOneInDoubt(order, out);
}

function batchOf(
  { railKey, amountCents, currency, payee: { email }, payerName }: RailOrder,
  words: Words,
  attempt: Pick<Try, 'number'> = { number: 1 },
): NewBatch | typeof NO_ADDRESS | typeof NO_AMOUNT {
  const value = providerAmount({ amountCents, currency }, providerDigits(words, currency))?.decimal;
  if (email === null) return NO_ADDRESS;
  // The traits keep such an amount away; nothing was sent.
  if (value === undefined) return NO_AMOUNT;
  const subject = payerName === null ? {} : { email_subject: `${payerName} sent you money`.slice(0, SUBJECT_LENGTH) };
  return {
    sender_batch_header: { sender_batch_id: senderBatchId(railKey, attempt), ...subject },
    items: [{ recipient_type: 'EMAIL', receiver: email, amount: { value, currency }, sender_item_id: railKey }],
  };
}

/** What a 201 tells: that it is there, and no more. */
const sentBatch = (payout_batch_id: string, batch_status: string): Batch => ({
  batch_header: { payout_batch_id, batch_status, sender_batch_header: {} },
});

type NothingDone = Exclude<PaypalAnswer<unknown>, { kind: 'done' | 'unclear' }>;

function notMade(answer: Exclude<NothingDone, { kind: 'rejected' }>): SubmitAnswer {
  switch (answer.kind) {
    case 'later':
      return notNow(answer.afterSeconds);
    case 'not_made':
      return { kind: 'not_now', afterSeconds: TRIED_AGAIN_SECONDS, detail: answer.detail };
    case 'unknown_to_paypal':
      return { kind: 'refused', failure: 'credentials', reason: `PayPal does not know us: ${answer.detail}` };
  }
}
