/**
 * Lets in whoever has a link, so often a minute: what a page costs is paid by everybody. Who tries what opens nothing is
 * counted as who tries wrong keys, and keeps nobody out who has a link, not even from the same address.
 */
import { Injectable } from '@nestjs/common';
import { type Clock, Refusal } from '#libs/domain';
import { FailedAttempts, MinuteCounts, Pace } from '#libs/auth';
import { InjectClock } from '#libs/clock';
import { type GatewayRequest, sayLimit } from '#libs/http-kit';
import type { PageLink } from '../page-link';
import { FindPageLink } from '../use-cases/find-page-link';

/** Of one payee, over all their links. */
const MOST_VISITS = 60;

@Injectable()
export class PageDoor {
  private readonly visits: MinuteCounts;
  private readonly pace = new Pace();

  constructor(
    private readonly links: FindPageLink,
    private readonly failures: FailedAttempts,
    @InjectClock() clock: Clock,
  ) {
    this.visits = new MinuteCounts(clock);
  }

  async linkOf(request: GatewayRequest, token: string): Promise<PageLink> {
    const link = await this.failures.counted(request, () => this.known(request, token));
    if (this.visits.add(link.payeeId) <= MOST_VISITS) return link;
    await this.pace.wait(link.payeeId);
    sayLimit(request, { limit: MOST_VISITS, resetSeconds: this.visits.secondsLeft() });
    throw new Refusal('rate_limited', 'The pages of this payee were asked for too many times this minute.');
  }

  private async known(request: GatewayRequest, token: string): Promise<PageLink> {
    const link = await this.links.run(token, this.failures.tooMany(request));
    if (!link) throw new Refusal('not_found', 'This link opens nothing.');
    return link;
  }
}
