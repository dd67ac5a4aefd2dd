/**
 * All requests that one statement admitted, up to a hundred, would go on in one turn of the event loop. Looking into their bodies and
 * queries takes time: so only so much goes on in a turn, and others have their turns in between. Senders take turns.
 */
import { Lanes } from '#libs/batcher';

/** The worst of it, a query of a thousand parameters, takes some milliseconds. */
export const BYTES_IN_A_TURN = 16_384;

interface Waiting {
  bytes: number;
  goOn: () => void;
}

export class AdmittedTurns {
  private readonly waiting = new Lanes<Waiting>();
  private left = BYTES_IN_A_TURN;
  private isTurning = false;

  async wait(sender: string, bytes: number): Promise<void> {
    this.inTurn();
    if (this.left <= 0) return new Promise((goOn) => this.waiting.add(sender, { bytes, goOn }));
    this.left -= bytes;
  }

  private inTurn(): void {
    if (!this.isTurning) setImmediate(() => this.turn());
    this.isTurning = true;
  }

  /** There is room left only once nobody waits any more. */
  private turn(): void {
    this.isTurning = false;
    this.left = BYTES_IN_A_TURN;
    while (this.left > 0) {
      const found = this.waiting.takeOne(() => true);
      if (!found) return;
      this.inTurn();
      this.left -= found.item.bytes;
      found.item.goOn();
    }
  }
}
