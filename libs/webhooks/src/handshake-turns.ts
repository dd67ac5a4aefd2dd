/**
 * When the bytes of a TLS handshake are computed. OpenSSL verifies all certificates of a receiver at one go, on the event loop, and
 * the costliest that a handshake has room for take it a tenth of a second. Of two dozen that arrive at once each has its turn.
 */

/** Of all handshakes together. The first of a turn is computed whatever it takes. */
const MS_IN_A_TURN = 5;
/** No chain as others have it takes longer. */
const ORDINARY_MS = 10;
/** A host with a costlier one rests so many times as long as it took: of our time it gets a tenth. */
const REST_FACTOR = 9;
/** Shorter than an attempt may take to connect: the process itself may have stood still, which is no receiver's fault. */
const LONGEST_REST_MS = 2_000;

interface Waiting {
  host: string;
  compute: () => void;
}

export class HandshakeTurns {
  private readonly waiting = new Set<Waiting>();
  private readonly restsUntil = new Map<string, number>();
  private isTurning = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly now = (): number => performance.now()) {}

  take(host: string, compute: () => void): void {
    this.waiting.add({ host, compute });
    this.inTurn();
  }

  private inTurn(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    setImmediate(() => this.turn());
  }

  private turn(): void {
    this.isTurning = false;
    const began = this.now();
    for (const [host, until] of this.restsUntil) if (until <= began) this.restsUntil.delete(host);
    for (const next of this.waiting) {
      if (this.restsUntil.has(next.host)) continue;
      this.waiting.delete(next);
      this.computed(next);
      if (this.now() - began > MS_IN_A_TURN) break;
    }
    this.goOn();
  }

  private computed({ host, compute }: Waiting): void {
    const began = this.now();
    compute();
    const tookMs = this.now() - began;
    if (tookMs > ORDINARY_MS) this.restsUntil.set(host, this.now() + Math.min(tookMs * REST_FACTOR, LONGEST_REST_MS));
  }

  private goOn(): void {
    clearTimeout(this.timer);
    if (this.waiting.size === 0) return;
    const rests = [...this.waiting].map(({ host }) => this.restsUntil.get(host) ?? 0);
    const restsMs = Math.min(...rests) - this.now();
    if (restsMs <= 0) return this.inTurn();
    this.timer = setTimeout(() => this.inTurn(), restsMs).unref();
  }
}
