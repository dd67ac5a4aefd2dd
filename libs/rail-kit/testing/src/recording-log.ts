/** Keeps what a rail logged, so that a test can look for what must never stand there. */
import type { RailLog } from '#libs/rail-kit';

export class RecordingLog implements RailLog {
  readonly lines: string[] = [];

  info(fields: Record<string, unknown>, message: string): void {
    this.lines.push(lineOf(fields, message));
  }

  warn(fields: Record<string, unknown>, message: string): void {
    this.lines.push(lineOf(fields, message));
  }
}

/** An error shows its message and cause, as it would in a real log. */
function lineOf(fields: Record<string, unknown>, message: string): string {
  const shown = (_: string, value: unknown): unknown =>
    value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value;
  return JSON.stringify({ ...fields, message }, shown);
}
