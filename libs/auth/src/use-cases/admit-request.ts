/**
 * Admits requests: under the client's limit, and with a signature that was not used yet. Those that arrive together are
 * admitted in one statement: a busy client's counter is one row, and this takes its lock once. Whoever is over its limit is
 * known for the rest of the minute: who goes on asking does not keep the database busy, and is refused at a steady pace.
 */
import { Injectable } from '@nestjs/common';
import { Batcher } from '#libs/batcher';
import { type Admission, AdmissionStore, type Verdict } from '../db/admission.store';
import { Pace } from '../pace';

const PORTION = 10_000;
/** A minute is over for certain this much sooner than was said: whole seconds were. */
const ROUNDED_MS = 1_000;

interface Over {
  limitPerMinute: number;
  until: number;
}

type Outcome = { verdict: Verdict } | { error: unknown };

@Injectable()
export class AdmitRequest {
  private readonly batcher = new Batcher<Admission, Outcome>((admissions) => this.together(admissions), {
    most: 100,
    atOnce: 2,
    laneOf: ({ clientId }) => clientId,
  });

  /** By client. */
  private readonly over = new Map<string, Over>();
  private readonly pace = new Pace();

  constructor(private readonly store: AdmissionStore) {}

  async run(admission: Admission): Promise<Verdict> {
    const known = this.knownOf(admission);
    if (known) {
      await this.pace.wait(admission.clientId);
      return known;
    }
    const outcome = await this.batcher.add(admission);
    if ('error' in outcome) throw outcome.error;
    const { verdict } = outcome;
    if (verdict.outcome === 'rate_limited') this.remember(admission, verdict);
    return verdict;
  }

  /** All of them, be it more than come in a minute: what is left over would be there for ever. */
  async forgetExpired(signal: AbortSignal): Promise<void> {
    await this.store.forgetPastMinutes();
    let forgotten = PORTION;
    while (forgotten === PORTION && !signal.aborted) forgotten = await this.store.forgetExpired(PORTION);
  }

  /** null if nothing is: its limit may be another one by now. */
  private knownOf({ clientId, limitPerMinute }: Admission): Verdict | null {
    const over = this.over.get(clientId);
    const leftMs = (over?.until ?? 0) - performance.now();
    if (over?.limitPerMinute === limitPerMinute && leftMs > 0)
      return { outcome: 'rate_limited', resetSeconds: Math.ceil((leftMs + ROUNDED_MS) / 1_000) };
    if (over) this.over.delete(clientId);
    return null;
  }

  private remember({ clientId, limitPerMinute }: Admission, { resetSeconds }: Verdict): void {
    this.over.set(clientId, { limitPerMinute, until: performance.now() + resetSeconds * 1_000 - ROUNDED_MS });
  }

  /** Nobody is tried again alone: what was written before an answer got lost would then look like a replay. */
  private async together(admissions: Admission[]): Promise<Outcome[]> {
    try {
      return (await this.store.admitAll(admissions)).map((verdict) => ({ verdict }));
    } catch (error) {
      return admissions.map(() => ({ error }));
    }
  }
}
