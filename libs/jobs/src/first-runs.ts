/** Runs the schedules that are marked with @AtStart once, beside whatever else a process that has just started does. */
import { Injectable } from '@nestjs/common';
import { log } from '#libs/telemetry';
import { AT_START } from './at-start';
import { MarkedMethods } from './marked-methods';

@Injectable()
export class FirstRuns {
  constructor(private readonly marked: MarkedMethods) {}

  /** Settles when all are over. Fails with none: each comes again by itself. */
  async run(): Promise<void> {
    await Promise.all(
      this.marked.with(AT_START).map(async ({ method: schedule }) => {
        try {
          await schedule();
        } catch (error) {
          log.error({ event: 'schedule.failed', stack: (error as Error).stack }, (error as Error).message);
        }
      }),
    );
  }
}
