/** How often an address failed to authenticate this minute. */
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, Refusal } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { type GatewayRequest, neighbourhoodOf, sayLimit } from '#libs/http-kit';
import { InjectClock } from '#libs/clock';
import { MinuteCounts } from '../minute-counts';
import { Pace } from '../pace';

@Injectable()
export class FailedAttempts {
  private readonly counts: MinuteCounts;
  private readonly pace = new Pace();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @InjectClock() clock: Clock,
  ) {
    this.counts = new MinuteCounts(clock);
  }

  /** Counts a failure. Once there were too many, the refusal says that and no more. */
  async count(request: GatewayRequest): Promise<void> {
    const address = neighbourhoodOf(request.ip);
    const limit = this.config.authFailuresPerMinute;
    if (this.counts.add(address) <= limit) return;
    request.isPutOff = true;
    await this.pace.wait(address);
    sayLimit(request, { limit, resetSeconds: this.counts.secondsLeft() });
    throw new Refusal('rate_limited', 'Too many failed authentications from this address this minute.');
  }

  /** Whatever it refuses is a failure; that something cannot be found out now is none. */
  async counted<T>(request: GatewayRequest, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.code !== 'service_unavailable') await this.count(request);
      throw refusal;
    }
  }

  tooMany({ ip }: GatewayRequest): boolean {
    return this.counts.of(neighbourhoodOf(ip)) >= this.config.authFailuresPerMinute;
  }
}
