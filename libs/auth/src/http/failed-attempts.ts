/** How often an address failed to authenticate this minute. Kept per process and bounded: it protects, it does not account. */
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, unixSeconds } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { InjectClock } from '../clock.provider';

const MAX_ADDRESSES = 50_000;

@Injectable()
export class FailedAttempts {
  private minute = 0;
  private counts = new Map<string, number>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @InjectClock() private readonly clock: Clock,
  ) {}

  /** Counts a failure; true once there were too many. */
  add(address: string): boolean {
    this.turn();
    const count = (this.counts.get(address) ?? 0) + 1;
    if (this.counts.size < MAX_ADDRESSES || this.counts.has(address)) this.counts.set(address, count);
    return count > this.config.authFailuresPerMinute;
  }

  tooMany(address: string): boolean {
    this.turn();
    return (this.counts.get(address) ?? 0) >= this.config.authFailuresPerMinute;
  }

  private turn(): void {
    const minute = Math.floor(unixSeconds(this.clock) / 60);
    if (minute === this.minute) return;
    this.minute = minute;
    this.counts = new Map();
  }
}
