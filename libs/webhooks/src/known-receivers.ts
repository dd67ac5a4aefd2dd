/**
 * Which names have shown that their handshakes cost little. Whoever has a wildcard in DNS has any number of names, so one that showed
 * nothing yet is a stranger, and all strangers are taken together.
 */

/** Of each kind; what was remembered longest ago is forgotten first. */
const MOST_NAMES = 10_000;
/** After that a name that was costly by accident, because the process stood still, stands before strangers like it again. */
const COSTLY_FOR_MS = 60_000;
/** With more in a minute it is no accident: somebody has cheap handshakes first, so that names become known, and then costly ones. */
const MOST_SURPRISES = 8;
const SURPRISES_COUNT_FOR_MS = 60_000;
/** From the right. What comes before them makes no difference. */
const MOST_LABELS = 5;

export class KnownReceivers {
  private readonly cheap = new Map<string, number>();
  /** Names with costly handshakes, and all that these names are below; and when that was. */
  private readonly costly = new Map<string, number>();
  private surprises = { count: 0, since: 0 };

  constructor(private readonly now: () => number) {}

  isKnown(host: string): boolean {
    return this.cheap.has(host);
  }

  wasCheap(host: string): void {
    remember(this.cheap, host, this.now());
  }

  wasCostly(host: string): void {
    for (const part of partsOf(host)) remember(this.costly, part, this.now());
    if (!this.cheap.delete(host)) return;
    if (this.now() - this.surprises.since > SURPRISES_COUNT_FOR_MS) this.surprises = { count: 0, since: this.now() };
    this.surprises.count += 1;
    if (this.surprises.count > MOST_SURPRISES) this.cheap.clear();
  }

  /** How many labels it has in common with a name whose handshake was costly. */
  likenessToCostly(host: string): number {
    if (this.costly.size === 0) return 0;
    const since = this.now() - COSTLY_FOR_MS;
    return partsOf(host).filter((part) => (this.costly.get(part) ?? -Infinity) > since).length;
  }
}

/** `com`, `example.com`, `hooks.example.com`. */
function partsOf(host: string): string[] {
  const labels = host.split('.').slice(-MOST_LABELS);
  return labels.map((_, index) => labels.slice(index).join('.'));
}

function remember(names: Map<string, number>, name: string, at: number): void {
  names.delete(name);
  names.set(name, at);
  const [oldest = name] = names.keys();
  if (names.size > MOST_NAMES) names.delete(oldest);
}
