/**
 * A sender that goes on after a 429, over as many connections as it has, is refused thousands of times a second, and keeps the process
 * from everybody else. So the refusals for one sender go out one by one, this far apart: each takes some 2 ms of a processor.
 */
const APART_MS = 20;
/** By then the connections that one sender may have are in line. */
const LONGEST_MS = 2_000;

export class Pace {
  /** When the next one may go out, by sender. */
  private readonly next = new Map<string, number>();

  get remembered(): number {
    return this.next.size;
  }

  async wait(sender: string): Promise<void> {
    const now = performance.now();
    this.forgetBefore(now);
    const at = Math.min(Math.max(this.next.get(sender) ?? 0, now), now + LONGEST_MS);
    this.next.delete(sender);
    this.next.set(sender, at + APART_MS);
    if (at > now) await new Promise((goOn) => setTimeout(goOn, at - now));
  }

  /** The latest to wait stands last. */
  private forgetBefore(now: number): void {
    for (const [sender, at] of this.next) {
      if (at > now) return;
      this.next.delete(sender);
    }
  }
}
