/**
 * Money that left the platform's account for payees, and money that came back there. Stripe lists transfers by when they were made; a
 * later reversal is an event of its own, which Stripe keeps for thirty days.
 */
import { ourAmount, providerDigits, type RailCall, type RailClock, type RailMovement } from '#libs/rail-kit';
import { AMOUNTS } from './amounts';
import { unanswered } from './custodial-a.mapping';
import type { StripeAnswer, StripeClient } from './stripe.client';
import type { List, MovedTransfer } from './stripe.shapes';

/** Its clock counts in seconds, and is not ours. */
const MARGIN_SECONDS = 30;
const DAY_SECONDS = 86_400;

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

export class Movements {
  constructor(
    private readonly client: StripeClient,
    private readonly clock: RailClock,
  ) {}

  async *list(since: Date, until?: Date, call?: RailCall): AsyncGenerator<RailMovement[]> {
    const to = until ? seconds(until) + 1 : seconds(this.clock.latest()) + DAY_SECONDS;
    const range = { from: seconds(since) - MARGIN_SECONDS, to };
    // Of several things that are told of one transfer the last one counts: what was reversed only becomes more.
    const reversed = new Map<string, MovedTransfer>();
    for await (const transfers of pages((after) => this.client.transfersMade(range, after, call?.signal))) {
      yield transfers.flatMap(movedOut);
      keepReversed(reversed, transfers);
    }
    for await (const events of pages((after) => this.client.reversals(range, after, call?.signal)))
      keepReversed(
        reversed,
        events.map(({ data }) => data.object),
      );
    yield [...reversed.values()].flatMap(movedBack);
  }
}

async function* pages<Each extends { id: string }>(
  page: (after: string | null) => Promise<StripeAnswer<List<Each>>>,
): AsyncGenerator<Each[]> {
  let after: string | null = null;
  for (;;) {
    const answer: StripeAnswer<List<Each>> = await page(after);
    if (answer.kind !== 'done') throw new Error(`Stripe listed no transfers: ${unanswered(answer).detail}`);
    const { data, has_more } = answer.found;
    yield data;
    if (!has_more) return;
    after = data.at(-1)?.id ?? null;
    if (after === null) throw new Error('Stripe lists nothing on a page that others follow');
  }
}

function keepReversed(reversed: Map<string, MovedTransfer>, transfers: MovedTransfer[]): void {
  for (const transfer of transfers)
    if (transfer.amount_reversed > (reversed.get(transfer.id)?.amount_reversed ?? 0))
      reversed.set(transfer.id, transfer);
}

const movedOut = (transfer: MovedTransfer): RailMovement[] => movement(transfer, 'out', transfer.amount);
const movedBack = (transfer: MovedTransfer): RailMovement[] => movement(transfer, 'back', transfer.amount_reversed);

/** None of a transfer that the platform made for something else. */
function movement(transfer: MovedTransfer, direction: 'out' | 'back', units: number): RailMovement[] {
  const { id, created, metadata } = transfer;
  const { rail_key: railKey, deployment } = metadata;
  if (!railKey) return [];
  const currency = transfer.currency.toUpperCase();
  const amountCents = ourAmount(BigInt(units), currency, providerDigits({ amounts: AMOUNTS }, currency));
  if (amountCents === null) throw new Error('Stripe tells no amount of a transfer');
  const whose = deployment ? { deployment } : {};
  const money = { amountCents, currency, movedAt: new Date(created * 1000), direction };
  return [{ railKey, ...whose, ...money, providerRef: id }];
}
