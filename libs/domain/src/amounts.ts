/** Money is integer minor units; nothing here or anywhere else divides it. */
export const MIN_AMOUNT_CENTS = 1;
export const MAX_AMOUNT_CENTS = 100_000_000_000;
