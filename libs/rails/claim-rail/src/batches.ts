/** What PayPal shows of the batches of a payout. */
import { codeTold, type LookupAnswer, type RailCall, type RailOrder, type RailTraits } from '#libs/rail-kit';
import { notNow } from './claim-rail.mapping';
import type { PaypalAnswer, PaypalClient } from './paypal.client';
import type { Batch } from './paypal.shapes';
import { type EndedBatch, senderBatchId, type Try } from './tries';

export type Words = Pick<RailTraits, 'amounts'>;
export type Reading = (batch: Batch, words: Words) => LookupAnswer;

export const NOT_HERE = { kind: 'never_seen' } as const;

const ASKED_AT_ONCE = 10;

export interface Named {
  order: RailOrder;
  attempt: Pick<Try, 'number'>;
  batchId: string;
}

export class Batches {
  constructor(
    private readonly client: PaypalClient,
    private readonly words: Words,
  ) {}

  /** The batch, if PayPal shows it and it is this payout's. */
  async shown({ order, attempt, batchId }: Named, call?: RailCall): Promise<Batch | LookupAnswer> {
    const answer = await this.client.readBatch(batchId, call?.signal);
    if (answer.kind === 'later') return notNow(answer.afterSeconds);
    if (answer.kind === 'rejected' && call?.movesNothing === 'sent_elsewhere') return NOT_HERE;
    // What is refused here is the question; the payment may be well under way.
    if (answer.kind !== 'done') return { kind: 'unknown', detail: `PayPal did not say: ${detailOf(answer)}` };
    const { sender_batch_id: told } = answer.found.batch_header.sender_batch_header;
    if (told !== senderBatchId(order.railKey, attempt))
      return { kind: 'unknown', detail: 'PayPal shows the batch of another payment' };
    return answer.found;
  }

  /** What has become of batches that came to nothing once. Many are asked about together: whoever waits has not long. */
  async ended(order: RailOrder, ended: EndedBatch[], reading: Reading, call?: RailCall): Promise<LookupAnswer[]> {
    const answers: LookupAnswer[] = [];
    for (let from = 0; from < ended.length; from += ASKED_AT_ONCE) {
      const some = ended.slice(from, from + ASKED_AT_ONCE);
      answers.push(...(await Promise.all(some.map((each) => this.nowOf(order, each, reading, call)))));
    }
    return answers;
  }

  private async nowOf(
    order: RailOrder,
    { number, batchId }: EndedBatch,
    reading: Reading,
    call?: RailCall,
  ): Promise<LookupAnswer> {
    const shown = await this.shown({ order, attempt: { number }, batchId }, call);
    return 'kind' in shown ? shown : reading(shown, this.words);
  }
}

export function detailOf(answer: Exclude<PaypalAnswer<unknown>, { kind: 'done' }>): string {
  if (answer.kind === 'rejected') return codeTold(answer.problem.name);
  return answer.kind === 'later' ? `wait ${answer.afterSeconds} s` : answer.detail;
}
