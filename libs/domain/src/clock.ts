/** The only place that reads the machine's time. Decisions about money use the database's clock instead. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000);
}
