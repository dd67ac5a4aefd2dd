/** Adyen wants the name of a person in two parts, neither of them empty. */

export interface SplitName {
  firstName: string;
  lastName: string;
}

/** The last word is the family's. One word is both: its owner puts it right on Adyen's pages. null if there is none. */
export function splitName(name: string | null): SplitName | null {
  const words = (name ?? '').split(/\s+/).filter((word) => word !== '');
  const last = words.at(-1);
  if (last === undefined) return null;
  return { firstName: words.slice(0, -1).join(' ') || last, lastName: last };
}
