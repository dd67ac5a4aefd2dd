/** Work on one of many, that keeps none of the others: what it meets is logged. The database's own trouble meets them all. */
import { log } from '#libs/telemetry';
import { troubleOf } from './database-trouble';

/** null if it failed. `fields` say what was done, and to whom; `heldUp` hears if what it needs was not to be had in time. */
export async function apart<T>(
  fields: { event: string } & Record<string, string>,
  work: () => Promise<T>,
  heldUp: () => void = () => undefined,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble?.isEverybodys) throw error;
    const { stack, message } = error as Error;
    if (trouble) heldUp();
    if (trouble) log.warn({ ...fields, kind: trouble.kind }, message);
    else log.error({ ...fields, stack }, message);
    return null;
  }
}
