// Colours and boxes for what these scripts say. Plain text if it is not a terminal, or NO_COLOR is set.

const coloured = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
const style = (code) => (text) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : String(text));

export const bold = style('1');
export const dim = style('2');
export const red = style('31');
export const green = style('32');
export const yellow = style('33');
export const cyan = style('36');

export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** What a terminal would obey instead of showing it, or show as something else: others chose these names and sentences. */
const UNSEEN = /[\p{C}\u2028\u2029]/gu;
const LINE_END = '\n';

/** The same with all of that written out. `JSON.parse` reads it as it was. */
export function harmless(text, { lines = false } = {}) {
  return String(text).replace(UNSEEN, (found) => (lines && found === LINE_END ? found : writtenOut(found)));
}

function writtenOut(character) {
  const unitOf = (index) => character.charCodeAt(index).toString(16).padStart(4, '0');
  return Array.from({ length: character.length }, (_, index) => `\\u${unitOf(index)}`).join('');
}

export function heading(text) {
  say(`\n${bold(cyan(text))}`);
}

export function took(startedAt) {
  return dim(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** Lines in a frame; colour codes do not count for its width. */
export function box(lines) {
  const width = Math.max(...lines.map(visibleLength));
  const rows = lines.map((line) => `│ ${line}${' '.repeat(width - visibleLength(line))} │`);
  return [`┌${'─'.repeat(width + 2)}┐`, ...rows, `└${'─'.repeat(width + 2)}┘`].join('\n');
}

function visibleLength(line) {
  return [...line.replaceAll(/\u001b\[\d+m/g, '')].length;
}

/** Piped into something that stops reading, such as head: there is nobody left to tell, and that is no failure. */
export function endWithReader() {
  process.stdout.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

/** Runs a whole script: what it throws becomes one red line, not a stack. */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${red(error.message)}\n`);
    process.exitCode = 1;
  }
}
