/** How an answer repeats a caller's own text: enough to find it again, and no more. */
const MOST = 100;

export const shown = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST).replace(/[\ud800-\udbff]$/, '')}…` : text;
