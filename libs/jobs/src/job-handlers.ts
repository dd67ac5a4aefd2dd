/** Finds the @OnJob methods at the start, and refuses a start in which a job has no handler or two. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JOB_NAMES, type JobHandler, type JobName } from './job-names';
import { MarkedMethods } from './marked-methods';
import { ON_JOB } from './on-job';

@Injectable()
export class JobHandlers implements OnModuleInit {
  private readonly handlers = new Map<JobName, JobHandler>();

  constructor(private readonly marked: MarkedMethods) {}

  onModuleInit(): void {
    for (const { mark: name, method } of this.marked.with<JobName>(ON_JOB)) {
      if (this.handlers.has(name)) throw new Error(`Two @OnJob handlers for ${name}.`);
      this.handlers.set(name, method as JobHandler);
    }
    const missing = JOB_NAMES.filter((name) => !this.handlers.has(name));
    if (missing.length > 0) throw new Error(`No @OnJob handler for ${missing.join(', ')}.`);
  }

  of(name: JobName): JobHandler {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`No @OnJob handler for ${name}.`);
    return handler;
  }
}
