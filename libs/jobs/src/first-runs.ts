/** Runs the schedules that are marked with @AtStart once, beside whatever else a process that has just started does. */
import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { log } from '#libs/telemetry';
import { AT_START } from './at-start';

@Injectable()
export class FirstRuns {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Settles when all are over. Fails with none: each comes again by itself. */
  async run(): Promise<void> {
    await Promise.all(
      this.marked().map(async (schedule) => {
        try {
          await schedule();
        } catch (error) {
          log.error({ event: 'schedule.failed', stack: (error as Error).stack }, (error as Error).message);
        }
      }),
    );
  }

  private marked(): (() => unknown)[] {
    return this.discovery.getProviders().flatMap(({ instance }) => {
      if (!instance || typeof instance !== 'object') return [];
      const methods = instance as Record<string, () => unknown>;
      const names = this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object);
      return names.flatMap((name) => {
        const method = methods[name];
        const isMarked = typeof method === 'function' && this.reflector.get<true | undefined>(AT_START, method);
        return isMarked ? () => method.call(instance) : [];
      });
    });
  }
}
