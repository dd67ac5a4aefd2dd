/** What left the platform's account for payees, and what came back there. Adyen lists the account by when a transfer was made. */
import { ourAmount, type RailCall, type RailClock, type RailMovement } from '#libs/rail-kit';
import type { AdyenClient } from './adyen.client';
import type { Transfer } from './adyen.shapes';
import { type AdyenSight, cursorOf, UNREADABLE_PAGE, WINDOW_MS } from './adyen.sight';
import { unanswered } from './custodial-b.mapping';
import { railKeyOf } from './references';
import { isBooked } from './round';

const DAY_MS = 86_400_000;
const MARK = 'payout-gateway:';

/** Said with each transfer between two accounts: the platform may have others, made by hand, or by another deployment. */
export const markOf = (deployment: string): { description: string } => ({
  description: `${MARK}${deployment}`.slice(0, 140),
});

interface MovementParts {
  client: AdyenClient;
  sight: AdyenSight;
  clock: RailClock;
  balanceAccount: string;
}

export class Movements {
  constructor(private readonly parts: MovementParts) {}

  async *list(since: Date, until?: Date, call?: RailCall): AsyncGenerator<RailMovement[]> {
    const end = until?.getTime() ?? this.parts.clock.latest().getTime() + DAY_MS;
    for (let from = since.getTime(); from <= end; from += WINDOW_MS) {
      const window = [from, Math.min(from + WINDOW_MS, end)].map((at) => new Date(at).toISOString());
      const [createdSince = '', createdUntil = ''] = window;
      yield* this.pages({ createdSince, createdUntil, sortOrder: 'asc' }, call);
    }
  }

  private async *pages(window: Record<string, string>, call?: RailCall): AsyncGenerator<RailMovement[]> {
    const { client, balanceAccount } = this.parts;
    let asked: Record<string, string> | null = { balanceAccountId: balanceAccount, category: 'internal', ...window };
    while (asked !== null) {
      const answer = await client.transfers(asked, call?.signal);
      if (answer.kind !== 'done') throw new Error(`Adyen listed no transfers: ${unanswered(answer).detail}`);
      const moved = answer.found.data.filter((each) => this.isMoved(each));
      const page: RailMovement[] = [];
      for (const transfer of moved) page.push(await this.movement(transfer, call));
      yield page;
      const cursor = cursorOf(answer.found._links?.next?.href);
      if (cursor === 'unreadable') throw new Error(UNREADABLE_PAGE);
      asked = cursor === null ? null : { ...asked, cursor: cursor.after };
    }
  }

  private isMoved(transfer: Transfer): boolean {
    const isOurs = transfer.balanceAccount?.id === this.parts.balanceAccount && transfer.category === 'internal';
    return isOurs && isBooked(transfer) && (transfer.description ?? '').startsWith(MARK);
  }

  /** Returned money carries the reference that it left under. */
  private async movement(transfer: Transfer, call?: RailCall): Promise<RailMovement> {
    const { id, reference = '', amount, createdAt, description = '' } = transfer;
    const amountCents = amount.value < 0 ? null : ourAmount(BigInt(amount.value), amount.currency);
    if (amountCents === null || createdAt === undefined)
      throw new Error('Adyen tells no amount, or no time, of a transfer');
    const isBack = transfer.direction === 'incoming';
    const fund = isBack ? await this.parts.sight.fundOf(reference, call?.signal) : null;
    return {
      ...{ railKey: railKeyOf(reference), deployment: description.slice(MARK.length), amountCents },
      ...{ currency: amount.currency, movedAt: new Date(createdAt), direction: isBack ? 'back' : 'out' },
      providerRef: fund ?? id,
    };
  }
}
