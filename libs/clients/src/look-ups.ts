/**
 * Looks credentials up by their digest. Whoever guesses makes the database no busier than a few statements at a time, and
 * keeps nobody waiting: what is asked together shares a statement, and addresses that guess have one of their own.
 */
import { Batcher } from '#libs/batcher';

const MOST_TOGETHER = 500;
/** A credential is random, so nobody has one before it is made: what is not there now will not be there soon. */
const UNKNOWN_MS = 5_000;
const MAX_UNKNOWN = 10_000;

type Found<Row> = { row: Row | null } | { error: Error };

export class LookUps<Row extends { digest: Buffer }> {
  private readonly trusted = this.batcher(2);
  private readonly suspected = this.batcher(1);
  private readonly unknown = new Map<string, number>();

  constructor(private readonly find: (digests: Buffer[]) => Promise<Row[]>) {}

  /** `suspect`: its address failed often enough this minute. It is told the truth all the same. */
  async byDigest(digest: Buffer, suspect: boolean): Promise<Row | null> {
    const name = digest.toString('hex');
    const askedAt = this.unknown.get(name);
    if (askedAt !== undefined && performance.now() - askedAt < UNKNOWN_MS) return null;
    const found = await (suspect ? this.suspected : this.trusted).add(digest);
    if ('error' in found) throw found.error;
    if (!found.row) this.remember(name);
    return found.row;
  }

  private batcher(atOnce: number): Batcher<Buffer, Found<Row>> {
    return new Batcher((digests) => this.together(digests), { most: MOST_TOGETHER, atOnce });
  }

  /** A database that is away is away for all of them: asking for each alone would only make them wait. */
  private async together(digests: Buffer[]): Promise<Found<Row>[]> {
    try {
      const rows = new Map((await this.find(digests)).map((row) => [row.digest.toString('hex'), row]));
      return digests.map((digest) => ({ row: rows.get(digest.toString('hex')) ?? null }));
    } catch (error) {
      return digests.map(() => ({ error: error as Error }));
    }
  }

  private remember(name: string): void {
    if (this.unknown.size >= MAX_UNKNOWN) this.unknown.clear();
    this.unknown.set(name, performance.now());
  }
}
