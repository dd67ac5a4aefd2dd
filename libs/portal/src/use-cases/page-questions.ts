/**
 * How often the pages of a client's payees may ask a provider: as often as the client itself may ask us, and as often again about money
 * that waits for its payee. A link costs it one request, and whoever has one may open its page any number of times. Of each one payee has a
 * share, so that none of them uses up what is for all.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#libs/domain';
import { MinuteCounts } from '#libs/auth';
import type { Client } from '#libs/clients';
import { InjectClock } from '#libs/clock';
import { CONFIG, type Config } from '#libs/config';
import type { Payee } from '#libs/payees';
import type { CameBy } from '../page-link';

/**
 * What for. Each is counted for itself: no page that is looked at keeps anybody from their money. set_up: how an account stands, and links
 * to where it is set up. waiting: what comes before money goes on: whether its payee is cleared, links to where they are checked, and the
 * address that they enter. moving: the click that sends it there, or leads them to it, and a withdrawal of which earlier payments are
 * asked about first.
 */
export type Asking = 'set_up' | 'waiting' | 'moving';
/** Of those about money there are two before it has gone on, mostly, one of each kind. */
const ONE_IN: Record<Asking, number> = { set_up: 1, waiting: 2, moving: 2 };
/** What one payee may ask in a minute, which is more than anybody clicks. */
const SHARE = 30;
/** And never more than this part of what there is for all, if that is little. */
const LARGEST_PART = 1 / 2;

interface Asks {
  client: Pick<Client, 'id' | 'rateLimitPerMinute'>;
  payee: Pick<Payee, 'id'>;
}

@Injectable()
export class PageQuestions {
  private readonly asked: MinuteCounts;
  private readonly shares: MinuteCounts;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'rateLimitPerMinute'>,
    @InjectClock() clock: Clock,
  ) {
    this.asked = new MinuteCounts(clock);
    this.shares = new MinuteCounts(clock);
  }

  /** Whether there is one more this minute, which is taken by it. */
  take({ client, payee }: Asks, asking: Asking = 'set_up', cameBy: CameBy = 'wallet'): boolean {
    const most = Math.ceil((client.rateLimitPerMinute ?? this.config.rateLimitPerMinute) / ONE_IN[asking]);
    const share = Math.min(SHARE, Math.ceil(most * LARGEST_PART));
    return (
      this.shares.add(`${payee.id} ${asking} ${cameBy}`) <= share && this.asked.add(`${client.id} ${asking}`) <= most
    );
  }
}
