/**
 * How often the pages of a client's payees may ask a provider: as often as the client itself may ask us. A link costs it one
 * request, and whoever has one may open its page any number of times.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#libs/domain';
import { MinuteCounts } from '#libs/auth';
import type { Client } from '#libs/clients';
import { InjectClock } from '#libs/clock';
import { CONFIG, type Config } from '#libs/config';

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
  take({ id, rateLimitPerMinute }: Client): boolean {
    return this.asked.add(id) <= (rateLimitPerMinute ?? this.config.rateLimitPerMinute);
  }
}
