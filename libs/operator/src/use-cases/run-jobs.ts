/** Runs a piece of periodic work now, and answers with what it did. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { VersionGate } from '#libs/db';
import { type Periodic, PeriodicWork } from './periodic-work';
import { RecordDeeds } from './record-deeds';

export interface PeriodicRun {
  name: Periodic;
  did: Record<string, number>;
  tookMs: number;
}

@Injectable()
export class RunJobs {
  constructor(
    private readonly periodic: PeriodicWork,
    private readonly gate: VersionGate,
    private readonly deeds: RecordDeeds,
  ) {}

  async run(actor: string, name: Periodic): Promise<PeriodicRun> {
    const startedAt = performance.now();
    const deed = { asked: `job.${name}_asked`, done: `job.${name}`, refused: `job.${name}_refused` };
    const did = await this.deeds.inSteps(
      deed,
      { actor },
      () => this.work(name),
      (done) => done,
    );
    return { name, did, tookMs: Math.round(performance.now() - startedAt) };
  }

  /** A newer version that takes the database over does not wait for all of it. */
  private async work(name: Periodic): Promise<Record<string, number>> {
    const { signal } = this.gate;
    const done = await this.periodic.run(name, signal);
    if (signal.aborted) throw new Refusal('service_unavailable', CUT_SHORT);
    return { ...done };
  }
}

const CUT_SHORT = 'A newer version took over before this was done. Run it again there.';
