/** The only place of this package that reads the machine's time. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000);
}
