/** How old the answers to many questions are that are put in portions. */
import { isOldAnswer } from './rail-no';

export class Portions {
  private heardAt: Date | null = null;
  private lastAskedAt: Date | null = null;
  private stoodStillAt: Date | null = null;

  /** A question is put: it may have waited for its turn. */
  asks(at: Date): void {
    this.lastAskedAt = at;
    this.heardAt ??= at;
  }

  /** What is asked after a standstill makes no answer from before it younger, nor what is asked after a long wait for places. */
  end({ at, now }: { at: Date; now: Date }): void {
    if (this.heardAt && isOldAnswer(this.heardAt, now)) this.stoodStillAt ??= this.heardAt;
    this.heardAt = at;
  }

  /** As of when the answers count; null: nothing was asked. */
  get askedAt(): Date | null {
    return this.stoodStillAt ?? this.lastAskedAt;
  }
}
