/** The machine's time in milliseconds, which all processes of a run share. */
import { systemClock } from '#libs/domain';

export const nowMs = (): number => systemClock.now().getTime();
