/** Whether the line of Node that runs this still gets security fixes. */

/** The last day of each line, as its maintainers have announced it. */
const LAST_DAY: Record<number, string> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' };

/** null while there is nothing to say. */
export function runtimeNotice(version: string, now: Date): string | null {
  const lastDay = LAST_DAY[Number(version.split('.')[0])];
  if (!lastDay || now.toISOString().slice(0, 10) <= lastDay) return null;
  return `Node ${version}, which has had no security fixes since ${lastDay}: run it on Node 24`;
}
