/** What a caller wrote, as an answer repeats it: enough to find it again, and no more than that. */
const MOST = 100;

export const shown = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST).replace(/[\ud800-\udbff]$/, '')}…` : text;
