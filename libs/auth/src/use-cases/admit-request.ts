/**
 * Admits requests: under the client's limit, and with a signature that was not used yet. Those that arrive together are
 * admitted in one statement: a busy client's counter is one row, and this takes its lock once.
 */
import { Injectable } from '@nestjs/common';
import { Gatherer } from '#libs/gatherer';
import { type Admission, AdmissionStore, type Verdict } from '../db/admission.store';

@Injectable()
export class AdmitRequest {
  private readonly gatherer = new Gatherer<Admission, Verdict>((admissions) => this.store.admitAll(admissions), {
    most: 100,
    atOnce: 2,
    laneOf: ({ clientId }) => clientId,
  });

  constructor(private readonly store: AdmissionStore) {}

  run(admission: Admission): Promise<Verdict> {
    return this.gatherer.add(admission);
  }

  /** Marks a further signature of an admitted request; false when it was used already. */
  useUp(clientId: string, fingerprint: Buffer, keepSeconds: number): Promise<boolean> {
    return this.store.useUp(clientId, fingerprint, keepSeconds);
  }

  forgetExpired(): Promise<number> {
    return this.store.forgetExpired();
  }
}
