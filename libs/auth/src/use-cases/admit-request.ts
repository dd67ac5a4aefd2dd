/**
 * Admits requests: under the client's limit, and with a signature that was not used yet. Those that arrive together are admitted in one
 * statement: a busy client's counter is one row, and this takes its lock once. A read that was counted ahead asks nobody. A client over
 * its limit is known for the rest of the minute: if it goes on asking, it does not keep the database busy, and is refused at a steady
 * pace.
 */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Batcher } from '#libs/batcher';
import { type Admission, AdmissionStore, type Verdict } from '../db/admission.store';
import { Pace } from '../pace';
import { KEPT_MS, ReadsAhead } from './reads-ahead';

const PORTION = 10_000;
/** A minute is over for certain this much sooner than was said: whole seconds were. */
const ROUNDED_MS = 1_000;

interface Over {
  limitPerMinute: number;
  until: number;
  minuteEndsAt: number;
}

type Outcome = { verdict: Verdict } | { error: unknown };

@Injectable()
export class AdmitRequest implements OnModuleDestroy {
  private readonly batcher = new Batcher<Admission, Outcome>((admissions) => this.together(admissions), {
    most: 100,
    atOnce: 2,
    laneOf: ({ clientId }) => clientId,
  });

  /** By client. */
  private readonly over = new Map<string, Over>();
  private readonly pace = new Pace();
  private readonly ahead: ReadsAhead;

  constructor(private readonly store: AdmissionStore) {
    this.ahead = new ReadsAhead(store);
  }

  onModuleDestroy(): Promise<void> {
    return this.ahead.stop();
  }

  /** `putOff`: the answer is known, and is that it is over its limit. */
  async run(admission: Admission, putOff: () => void = () => undefined): Promise<Verdict> {
    const isRead = admission.fingerprints.length === 0 && !admission.spends;
    const resetSeconds = isRead ? this.ahead.use(admission) : null;
    if (resetSeconds !== null) return { outcome: 'admitted', resetSeconds, final: true };
    const known = this.knownOf(admission);
    if (known) {
      putOff();
      await this.pace.wait(admission.clientId);
      return known;
    }
    const askedAt = performance.now();
    let verdict = await this.ask(admission);
    if (verdict.outcome === 'rate_limited' && (await this.ahead.givesBack(admission.clientId, askedAt)))
      verdict = await this.ask(admission);
    if (verdict.outcome === 'rate_limited') this.remember(admission, verdict);
    else if (isRead) this.ahead.takeMore(admission);
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
    const now = performance.now();
    if (over?.limitPerMinute === limitPerMinute && over.until > now) {
      const resetSeconds = Math.ceil((over.minuteEndsAt - now + ROUNDED_MS) / 1_000);
      return { outcome: 'rate_limited', resetSeconds, final: true };
    }
    if (over) this.over.delete(clientId);
    return null;
  }

  /** Another process soon gives back what it counted ahead. */
  private remember({ clientId, limitPerMinute }: Admission, { resetSeconds, final }: Verdict): void {
    const minuteEndsAt = performance.now() + resetSeconds * 1_000 - ROUNDED_MS;
    const until = final ? minuteEndsAt : Math.min(minuteEndsAt, performance.now() + KEPT_MS);
    this.over.set(clientId, { limitPerMinute, until, minuteEndsAt });
  }

  private async ask(admission: Admission): Promise<Verdict> {
    const outcome = await this.batcher.add(admission);
    if ('error' in outcome) throw outcome.error;
    return outcome.verdict;
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
