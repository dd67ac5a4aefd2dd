/** Waiting times that double up to a cap. Attempt 1 is the first, so its successor waits `first`. */
export interface Backoff {
  firstSeconds: number;
  capSeconds: number;
}

export function backoffSeconds({ firstSeconds, capSeconds }: Backoff, attemptsMade: number): number {
  const doubled = firstSeconds * 2 ** Math.max(0, attemptsMade - 1);
  return Math.min(doubled, capSeconds);
}
