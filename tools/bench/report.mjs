// Numbers as people read them.
import { bold, dim, green, say, yellow } from '../terminal.mjs';

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const perSecond = (rate) => `${whole(rate)}/s`;
export const whole = (number) => Math.round(number).toLocaleString('en-US');
export const ms = (number) => `${number.toFixed(number < 10 ? 2 : 1)} ms`;
export const times = (ratio) => ratio.toFixed(2);

export function progress(text) {
  say(dim(`  ${text}`));
}

/** Rows of texts under their heads; numbers stand to the right. */
export function table(heads, rows) {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => cells.map((cell, column) => padded(cell, widths[column], column)).join('  ');
  say(bold(line(heads)));
  say(dim(widths.map((width) => '─'.repeat(width)).join('  ')));
  for (const row of rows) say(line(row));
}

/** `holds` is null if there is no aim. */
export function verdict(holds) {
  return holds === null ? '' : holds ? green('met') : yellow('not met');
}

const padded = (cell, width, column) => (column === 0 ? cell.padEnd(width) : cell.padStart(width));
