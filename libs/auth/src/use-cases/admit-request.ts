/**
 * Admits requests: under the client's limit, and with a signature that was not used yet. Those that arrive together are
 * admitted in one statement: a busy client's counter is one row, and this takes its lock once.
 */
import { Injectable } from '@nestjs/common';
import { Batcher } from '#libs/batcher';
import { type Admission, AdmissionStore, type Verdict } from '../db/admission.store';

const PORTION = 10_000;

type Outcome = { verdict: Verdict } | { error: unknown };

@Injectable()
export class AdmitRequest {
  private readonly batcher = new Batcher<Admission, Outcome>((admissions) => this.together(admissions), {
    most: 100,
    atOnce: 2,
    laneOf: ({ clientId }) => clientId,
  });

  constructor(private readonly store: AdmissionStore) {}

  async run(admission: Admission): Promise<Verdict> {
    const outcome = await this.batcher.add(admission);
    if ('error' in outcome) throw outcome.error;
    return outcome.verdict;
  }

  /** All of them, be it more than come in a minute: what is left over would be there for ever. */
  async forgetExpired(signal: AbortSignal): Promise<void> {
    await this.store.forgetPastMinutes();
    let forgotten = PORTION;
    while (forgotten === PORTION && !signal.aborted) forgotten = await this.store.forgetExpired(PORTION);
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
