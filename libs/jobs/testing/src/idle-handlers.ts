/** A feature is tested without the others, and yet every job must have its handler when a service starts. */
import { Injectable, type Type } from '@nestjs/common';
import { JOB_NAMES, type JobName, OnJob } from '#libs/jobs';

/** A provider that takes all jobs but those the feature does itself, and does nothing. */
export function idleHandlers(isOwn: (name: JobName) => boolean): Type {
  @Injectable()
  class IdleHandlers {}
  for (const name of JOB_NAMES.filter((known) => !isOwn(known))) {
    const method: PropertyDescriptor = { value: () => Promise.resolve(), configurable: true };
    OnJob(name)(IdleHandlers.prototype, name, method);
    Object.defineProperty(IdleHandlers.prototype, name, method);
  }
  return IdleHandlers;
}
