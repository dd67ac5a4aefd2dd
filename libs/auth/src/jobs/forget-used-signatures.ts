/** Signatures past their window and counters of past minutes are of no more use. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { log } from '#libs/telemetry';
import { AdmitRequest } from '../use-cases/admit-request';

@Injectable()
export class ForgetUsedSignatures {
  constructor(
    private readonly admission: AdmitRequest,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(60_000)
  async run(): Promise<void> {
    await this.runner
      .run('forget-used-signatures', (signal) => this.admission.forgetExpired(signal))
      .catch((error: Error) => log.warn({ event: 'edge.not_tidied', error: error.message }, 'tried again in a minute'));
  }
}
