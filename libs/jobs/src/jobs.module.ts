/** Wires the port, the store and one of the two queues. A process that serves only the API adds jobs and runs none. */
import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Queue } from 'bull';
import { VersionGate } from '#libs/db';
import { FirstRuns } from './first-runs';
import { FollowClock } from './follow-clock';
import { JobHandlers } from './job-handlers';
import { JOB_NAMES, type JobName } from './job-names';
import { JobPump, STOP_WITHIN_MS } from './job-pump';
import { EmbeddedJobQueue, JobQueue } from './job-queue';
import { JobReads } from './job-reads';
import { JobRunner } from './job-runner';
import { JobStore } from './job-store';
import { Jobs } from './jobs';
import { MarkedMethods } from './marked-methods';

/** As long as a call to a rail may take. */
const STOP_MS = 20_000;

interface JobsOptions {
  redisUrl: string | null;
  works: boolean;
  /** How long jobs under way are waited for when the process stops. */
  stopWithinMs?: number;
}

@Global()
@Module({})
export class JobsModule {
  static async forRoot({ redisUrl, works, stopWithinMs = STOP_MS }: JobsOptions): Promise<DynamicModule> {
    const bull = redisUrl && works ? await bullParts(redisUrl) : null;
    const queue: Provider = bull?.provider ?? { provide: JobQueue, useClass: EmbeddedJobQueue };
    return {
      module: JobsModule,
      imports: [DiscoveryModule, ...(bull?.imports ?? [])],
      providers: [
        JobStore,
        JobReads,
        Jobs,
        MarkedMethods,
        JobHandlers,
        JobRunner,
        queue,
        { provide: STOP_WITHIN_MS, useValue: stopWithinMs },
        ...(works ? [JobPump, FirstRuns, FollowClock] : []),
      ],
      exports: [Jobs, JobQueue, JobReads, JobRunner, ...(works ? [FirstRuns] : [])],
    };
  }
}

/** Loaded only where it is used: Bull and its Redis client take a tenth of a second to load. */
async function bullParts(redisUrl: string): Promise<{ imports: DynamicModule[]; provider: Provider }> {
  const { BullModule, getQueueToken } = await import('@nestjs/bull');
  const { BullJobQueue } = await import('./bull-job-queue.js');
  return {
    imports: [
      BullModule.forRoot({ url: redisUrl, settings: { stalledInterval: 5_000, maxStalledCount: 1 } }),
      BullModule.registerQueue(...JOB_NAMES.map((name) => ({ name }))),
    ],
    provider: {
      provide: JobQueue,
      inject: [JobStore, JobRunner, VersionGate, ...JOB_NAMES.map((name) => getQueueToken(name))],
      useFactory: (store: JobStore, runner: JobRunner, gate: VersionGate, ...queues: Queue[]) => {
        const byName = new Map(JOB_NAMES.map((name, index): [JobName, Queue] => [name, queues[index] as Queue]));
        return new BullJobQueue(byName, store, runner, gate);
      },
    },
  };
}
