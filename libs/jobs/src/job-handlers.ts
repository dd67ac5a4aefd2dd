/** Finds the @OnJob methods at the start, and refuses a start in which a job has no handler or two. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { JOB_NAMES, type JobHandler, type JobName } from './job-names';
import { ON_JOB } from './on-job';

@Injectable()
export class JobHandlers implements OnModuleInit {
  private readonly handlers = new Map<JobName, JobHandler>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (instance && typeof instance === 'object') this.collect(instance as Record<string, unknown>);
    }
    const missing = JOB_NAMES.filter((name) => !this.handlers.has(name));
    if (missing.length > 0) throw new Error(`No @OnJob handler for ${missing.join(', ')}.`);
  }

  of(name: JobName): JobHandler {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`No @OnJob handler for ${name}.`);
    return handler;
  }

  private collect(instance: Record<string, unknown>): void {
    for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
      const handler = instance[method];
      if (typeof handler !== 'function') continue;
      const name = this.reflector.get<JobName | undefined>(ON_JOB, handler);
      if (!name) continue;
      if (this.handlers.has(name)) throw new Error(`Two @OnJob handlers for ${name}.`);
      this.handlers.set(name, handler.bind(instance) as JobHandler);
    }
  }
}
