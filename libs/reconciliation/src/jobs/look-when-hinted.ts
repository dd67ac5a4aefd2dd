/** A rail says that there is news of a payout: it is asked about it soon, by a job. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RailHints } from '#libs/rail-registry';
import { HearOfPayouts } from '../use-cases/hear-of-payouts';

@Injectable()
export class LookWhenHinted implements OnModuleInit {
  constructor(
    private readonly hints: RailHints,
    private readonly payouts: HearOfPayouts,
  ) {}

  onModuleInit(): void {
    this.hints.follow((provider, railKey, inSeconds) => this.payouts.named(provider, [railKey], inSeconds));
  }
}
