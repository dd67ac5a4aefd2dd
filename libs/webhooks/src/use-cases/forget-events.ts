/** What clients were told is kept for as long as this deployment says. A payout's own trail stays for ever. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { EventBook } from '#libs/events';

/** Of one statement. An event that was told in vain again and again has very many attempts. */
const PORTION = { events: 5_000, attempts: 20_000 };

@Injectable()
export class ForgetEvents {
  constructor(
    private readonly events: EventBook,
    @Inject(CONFIG) private readonly config: Pick<Config, 'eventsKeptDays'>,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    const { eventsKeptDays: days } = this.config;
    if (days === 0) return;
    while (!signal.aborted && (await this.events.forget(days, PORTION)) > 0);
  }
}
