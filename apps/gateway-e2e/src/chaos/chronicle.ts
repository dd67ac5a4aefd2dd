/** Everything the rig itself did and was told, in the order in which it happened: what the judge and a reader go by. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from './now';

/** What was done to the run: by the nemesis, by the supervisor, by nobody. */
export interface Happening {
  at: number;
  /** Which part of the run it happened to: `worker-2`, `postgres`, `provider`. */
  to: string;
  what: string;
  pid?: number;
}

export class Chronicle {
  readonly beganAt = nowMs();
  readonly happenings: Happening[] = [];

  constructor(readonly directory: string) {}

  note(to: string, what: string, pid?: number): void {
    const happening: Happening = { at: nowMs(), to, what, ...(pid === undefined ? {} : { pid }) };
    this.happenings.push(happening);
    this.keep('happenings.jsonl', happening);
  }

  /** A line for whoever reads the run's directory afterwards. */
  keep(file: string, line: object): void {
    appendFileSync(join(this.directory, file), `${JSON.stringify(line)}\n`);
  }
}
