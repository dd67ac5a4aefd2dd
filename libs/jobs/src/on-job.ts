import { SetMetadata } from '@nestjs/common';
import type { JobName } from './job-names';

export const ON_JOB = Symbol('OnJob');

/** Marks the one method that does the jobs of this name. */
export const OnJob = (name: JobName): MethodDecorator => SetMetadata(ON_JOB, name);
