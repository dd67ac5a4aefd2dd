/** How often an address failed to authenticate this minute. Kept per process and bounded: it protects, it does not account. */
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, Refusal, unixSeconds } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { type GatewayRequest, neighbourhoodOf, sayLimit } from '#libs/http-kit';
import { InjectClock } from '#libs/clock';
import { Pace } from '../pace';

const MAX_ADDRESSES = 50_000;

@Injectable()
export class FailedAttempts {
  private minute = 0;
  private counts = new Map<string, number>();
  private readonly pace = new Pace();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @InjectClock() private readonly clock: Clock,
  ) {}

  /** Counts a failure. Once there were too many, the refusal says that and no more. */
  async count(request: GatewayRequest): Promise<void> {
    this.turn();
    const address = neighbourhoodOf(request.ip);
    const count = (this.counts.get(address) ?? 0) + 1;
    if (this.counts.size < MAX_ADDRESSES || this.counts.has(address)) this.counts.set(address, count);
    const limit = this.config.authFailuresPerMinute;
    if (count <= limit) return;
    await this.pace.wait(address);
    sayLimit(request, { limit, resetSeconds: 60 - (unixSeconds(this.clock) % 60) });
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
    this.turn();
    return (this.counts.get(neighbourhoodOf(ip)) ?? 0) >= this.config.authFailuresPerMinute;
  }

  private turn(): void {
    const minute = Math.floor(unixSeconds(this.clock) / 60);
    if (minute === this.minute) return;
    this.minute = minute;
    this.counts = new Map();
  }
}
