/**
 * Where jobs left off that do a portion at a time, so that others of their kind have their turn in between. Kept in memory only: another process
 * goes on at its own place, or begins anew, and so does a job that was asked for again since. A portion may be done twice, and none is left out.
 */
import type { Job } from './job-names';

/** In a list of those that were there when it began, by id. */
export interface PassPlace {
  begun: string;
  after: string | null;
}

/** By which a job is known to be the same one still. */
export type AskedFor = Pick<Job, 'entityId' | 'version' | 'createdAt'>;

export class LeftOff<Place> {
  private readonly places = new Map<string, { asked: string; place: Place }>();

  of(job: AskedFor): Place | null {
    const left = this.places.get(job.entityId);
    return left?.asked === asked(job) ? left.place : null;
  }

  /** null once it is through. */
  keep(job: AskedFor, place: Place | null): void {
    if (place === null) this.places.delete(job.entityId);
    else this.places.set(job.entityId, { asked: asked(job), place });
  }
}

/** By its time as well: a job that was done, and is asked for anew, counts its versions from the beginning. */
const asked = ({ version, createdAt }: AskedFor): string => `${version} ${createdAt.toISOString()}`;
