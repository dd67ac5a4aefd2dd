/**
 * Takes the lines of the log to where they are read, beside the work. A reader that stands still and a disk that is full cost
 * lines, and neither memory nor the process; a reader that is gone costs them all.
 */
import { write, writeSync } from 'node:fs';

/** Minutes of a busy process. */
const MOST_CHARACTERS = 8 * 1_048_576;
const AGAIN_MS = 100;
/** How long a process that ends waits for its last lines to be taken. */
const AT_LAST_MS = 250;
const BETWEEN_LAST_TRIES_MS = 10;

export class LogOutput {
  private lines: string[] = [];
  private characters = 0;
  private lost = 0;
  /** Bytes that are on their way, or were not taken yet. */
  private leaving: Buffer = Buffer.alloc(0);
  private doing: 'nothing' | 'writing' | 'waiting' | 'being gone' = 'nothing';

  constructor(
    private readonly fd: number,
    /** So many lines were not kept. */
    private readonly tellOfLost: (lines: number) => void,
  ) {
    process.once('exit', () => this.writeLast());
  }

  write(line: string): void {
    if (this.doing === 'being gone') return;
    if (this.characters >= MOST_CHARACTERS) {
      this.lost += 1;
      return;
    }
    this.lines.push(line);
    this.characters += line.length;
    this.next();
  }

  private next(): void {
    if (this.doing !== 'nothing') return;
    if (this.leaving.length === 0) this.leaving = this.gathered();
    if (this.leaving.length === 0) return;
    this.doing = 'writing';
    write(this.fd, this.leaving, (error, written) => (error ? this.refused(error) : this.taken(written)));
    this.sayWhatWasLost();
  }

  /** Right behind what was kept before it. */
  private sayWhatWasLost(): void {
    const { lost } = this;
    if (lost === 0 || this.characters > 0) return;
    this.lost = 0;
    this.tellOfLost(lost);
  }

  private gathered(): Buffer {
    const gathered = Buffer.from(this.lines.join(''));
    this.lines = [];
    this.characters = 0;
    return gathered;
  }

  private taken(bytes: number): void {
    this.doing = 'nothing';
    this.leaving = this.leaving.subarray(bytes);
    this.next();
  }

  private refused({ code }: NodeJS.ErrnoException): void {
    if (code === 'EPIPE') {
      this.doing = 'being gone';
      this.gathered();
      return;
    }
    this.doing = 'waiting';
    setTimeout(() => {
      this.doing = 'nothing';
      this.next();
    }, AGAIN_MS).unref();
  }

  /** Bytes that are just being written are left to the thread that writes them. */
  private writeLast(): void {
    if (this.doing === 'being gone') return;
    const until = performance.now() + AT_LAST_MS;
    let rest = Buffer.concat([this.doing === 'writing' ? Buffer.alloc(0) : this.leaving, this.gathered()]);
    while (rest.length > 0 && performance.now() < until) {
      try {
        rest = rest.subarray(writeSync(this.fd, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BETWEEN_LAST_TRIES_MS);
      }
    }
  }
}
