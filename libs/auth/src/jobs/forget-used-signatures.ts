/** Signatures past their window and counters of past minutes are of no more use. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { log } from '#libs/telemetry';
import { AdmissionStore } from '../db/admission.store';

@Injectable()
export class ForgetUsedSignatures {
  constructor(
    private readonly store: AdmissionStore,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(60_000)
  async run(): Promise<void> {
    await this.runner
      .run('forget-used-signatures', () => this.store.forgetExpired())
      .catch((error: Error) => log.warn({ event: 'edge.not_tidied', error: error.message }, 'tried again in a minute'));
  }
}
