/**
 * What the provider knows, in a file of its own that is only ever added to: the truth about what was moved, whatever the
 * gateway believes. Each line is on the disk before anybody is told.
 */
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Payment } from './payment';

export type LedgerLine = { at: number; event: Payment['state'] } & Payment;

export const LEDGER_FILE = 'provider-ledger.jsonl';
export const CALLS_FILE = 'provider-calls.jsonl';

export class Ledger {
  private readonly ledger: number;
  private readonly calls: number;

  constructor(directory: string) {
    this.ledger = openSync(join(directory, LEDGER_FILE), 'a');
    this.calls = openSync(join(directory, CALLS_FILE), 'a');
  }

  write(payment: Payment, at: number): void {
    const line: LedgerLine = { at, event: payment.state, ...payment };
    writeSync(this.ledger, `${JSON.stringify(line)}\n`);
    fdatasyncSync(this.ledger);
  }

  /** For whoever looks for a cause; nothing is proved by it. */
  note(call: object): void {
    writeSync(this.calls, `${JSON.stringify(call)}\n`);
  }

  close(): void {
    closeSync(this.ledger);
    closeSync(this.calls);
  }
}

/** A line that was cut off by a kill was told to nobody. */
export function readLines<T>(directory: string, file: string): T[] {
  const path = join(directory, file);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as T] : []));
}
