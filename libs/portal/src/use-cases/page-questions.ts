/**
 * How often the pages of a client's payees may ask a provider: as often as the client itself may ask us, and as often again about money
 * that waits for its payee. A link costs it one request, and whoever has one may open its page any number of times.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#libs/domain';
import { MinuteCounts } from '#libs/auth';
import type { Client } from '#libs/clients';
import { InjectClock } from '#libs/clock';
import { CONFIG, type Config } from '#libs/config';

/**
 * What for. Each is counted for itself: no page that is looked at keeps anybody from their money. set_up: how an account stands, and links
 * to where it is set up. waiting: what comes before money goes on: whether its payee is cleared, links to where they are checked, and the
 * address that they enter. moving: the click that sends it there, or leads them to it, and a withdrawal of which earlier payments are
 * asked about first.
 */
export type Asking = 'set_up' | 'waiting' | 'moving';
/** Of those about money there are two before it has gone on, mostly, one of each kind. */
const ONE_IN: Record<Asking, number> = { set_up: 1, waiting: 2, moving: 2 };

@Injectable()
export class PageQuestions {
  private readonly asked: MinuteCounts;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'rateLimitPerMinute'>,
    @InjectClock() clock: Clock,
  ) {
    this.asked = new MinuteCounts(clock);
  }

  /** Whether there is one more this minute, which is taken by it. */
  take({ id, rateLimitPerMinute }: Pick<Client, 'id' | 'rateLimitPerMinute'>, asking: Asking = 'set_up'): boolean {
    const most = Math.ceil((rateLimitPerMinute ?? this.config.rateLimitPerMinute) / ONE_IN[asking]);
    return this.asked.add(`${id} ${asking}`) <= most;
  }
}
