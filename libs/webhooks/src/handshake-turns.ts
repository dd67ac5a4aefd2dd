/**
 * When the bytes of a TLS handshake are computed. OpenSSL verifies all certificates of a receiver at one go, on the event loop, and
 * the costliest that a handshake has room for take it a tenth of a second. Of two dozen that arrive at once each has its turn.
 */
import { KnownReceivers } from './known-receivers';

/** Of all handshakes together. The first of a turn is computed whatever it takes. */
const MS_IN_A_TURN = 5;
/** No chain as others have it takes longer. */
const ORDINARY_MS = 10;
/** After a costly one strangers rest so many times as long as it took: of our time all of them together get a tenth. */
const REST_FACTOR = 9;
/** Shorter than an attempt may take to connect: the process itself may have stood still, which is no receiver's fault. */
const LONGEST_REST_MS = 1_000;

/** Of one connection. */
export interface Handshake {
  readonly host: string;
  /** Some of it took long. */
  isCostly: boolean;
}

interface Waiting {
  handshake: Handshake;
  compute: () => void;
}

export class HandshakeTurns {
  private readonly waiting = new Set<Waiting>();
  private readonly receivers: KnownReceivers;
  private strangersRestUntil = 0;
  private isTurning = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly now = (): number => performance.now()) {
    this.receivers = new KnownReceivers(now);
  }

  take(handshake: Handshake, compute: () => void): void {
    this.waiting.add({ handshake, compute });
    this.inTurn();
  }

  /** Its certificate is good, so this connection is one to whoever has the name. */
  succeeded({ host, isCostly }: Handshake): void {
    if (!isCostly) this.receivers.wasCheap(host);
  }

  private inTurn(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    setImmediate(() => this.turn());
  }

  private turn(): void {
    this.isTurning = false;
    const began = this.now();
    for (const next of this.inOrder()) {
      this.waiting.delete(next);
      this.computed(next);
      if (this.now() - began > MS_IN_A_TURN) break;
    }
    this.goOn();
  }

  /**
   * As they came, without those that rest. But of strangers those go first who have least in common with whoever was costly: what a
   * client makes wait under ever new names lets others pass.
   */
  private inOrder(): Waiting[] {
    const ready = this.ready();
    const strangers = ready
      .filter((each) => this.isStranger(each))
      .map((each) => ({ each, likeness: this.receivers.likenessToCostly(each.handshake.host) }))
      .sort((one, other) => one.likeness - other.likeness)
      .values();
    return ready.map((each) => (this.isStranger(each) ? strangers.next().value?.each : undefined) ?? each);
  }

  private computed({ handshake, compute }: Waiting): void {
    const began = this.now();
    compute();
    const tookMs = this.now() - began;
    if (tookMs <= ORDINARY_MS) return;
    handshake.isCostly = true;
    this.receivers.wasCostly(handshake.host);
    const restMs = Math.min(tookMs * REST_FACTOR, LONGEST_REST_MS);
    this.strangersRestUntil = Math.max(this.strangersRestUntil, this.now() + restMs);
  }

  private goOn(): void {
    clearTimeout(this.timer);
    if (this.waiting.size === 0) return;
    if (this.ready().length > 0) return this.inTurn();
    this.timer = setTimeout(() => this.inTurn(), this.strangersRestUntil - this.now()).unref();
  }

  private ready(): Waiting[] {
    const all = [...this.waiting];
    return this.strangersRestUntil > this.now() ? all.filter((each) => !this.isStranger(each)) : all;
  }

  private isStranger({ handshake }: Waiting): boolean {
    return !this.receivers.isKnown(handshake.host);
  }
}
