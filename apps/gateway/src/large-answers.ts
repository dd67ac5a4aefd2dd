/**
 * Files that strangers may ask for as often as they like. To hand one to the system takes a millisecond or two, and of requests that came
 * together many begin in one turn of the event loop: so one goes out in each, and senders take turns.
 */
import type { Request } from 'express';
import { Lanes } from '#libs/batcher';
import { neighbourhoodOf } from '#libs/http-kit';

export class LargeAnswers {
  private readonly due = new Lanes<() => void>();
  private isTurning = false;

  inTurn({ socket }: Request, answer: () => void): void {
    this.due.add(neighbourhoodOf(socket.remoteAddress), answer);
    if (!this.isTurning) setImmediate(() => this.turn());
    this.isTurning = true;
  }

  private turn(): void {
    for (const answer of this.due.take(1)) answer();
    this.isTurning = this.due.size > 0;
    if (this.isTurning) setImmediate(() => this.turn());
  }
}
