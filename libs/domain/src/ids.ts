/** Ids are UUID version 7: unique everywhere, and in the order of their making. */
import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const newId = (): string => v7();

/** One spelling per id: hyphenated and lower-case. null if the text is no UUID in its usual form. */
export function canonicalId(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null;
}
