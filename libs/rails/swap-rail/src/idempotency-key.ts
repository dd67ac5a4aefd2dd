/**
 * Circle's idempotency key of a call: a UUID that is the same for the same words. It is kept in the rail's store before the call; if that
 * record is lost, the same call has the same key again, and Circle recognises it.
 */
import { createHash } from 'node:crypto';

export function idempotencyKeyOf(...words: (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(words)).digest().subarray(0, 16);
  // As UUIDs of version 4 are marked: Circle takes no others.
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
