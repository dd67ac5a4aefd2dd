/**
 * Whether Circle answers about what was asked for. Lists and single answers are compared with the question: the first one listed may be
 * money in somebody else's wallet.
 */

/** In these the letters' case is a checksum at most. In all others, those of Solana among them, it is part of the address. */
const HEXADECIMAL = /^0x[0-9a-f]+$/i;

export const isSameAddress = (one: string, other: string): boolean =>
  one === other || (HEXADECIMAL.test(one) && one.toLowerCase() === other.toLowerCase());

/** UUIDs, of which some are typed into settings by hand. */
export const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A field that Circle leaves out, or leaves empty, contradicts nothing. */
export const mayBe = (told: string | undefined, isSame: (told: string) => boolean): boolean => !told || isSame(told);
