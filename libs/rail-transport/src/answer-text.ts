/** The text of a provider's answer as JSON. Nobody waits for long while one is parsed, whatever it holds, or many come together. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** JSON.parse takes some 60 ms for so many, and seconds for megabytes of brackets. A page of a hundred payments holds a tenth of them. */
const MOST_VALUES = 65_536;
/** Sixty shorter ones that come in one turn take less than one of the longest. */
const LONG = 8_192;

/** The turn of the event loop that the last long one waits for. */
let last: Promise<void> = Promise.resolve();

/** undefined: it is none, or holds more than any answer does. */
export async function parsed(text: string): Promise<unknown> {
  if (text.length > LONG) {
    last = last.then(() => nextTurn());
    await last;
    if (!isBounded(text)) return undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Those inside of texts count too: there are few. */
const BEGINS_A_VALUE = new Set([...'{[,'].map((each) => each.charCodeAt(0)));

function isBounded(text: string): boolean {
  let values = 0;
  for (let at = 0; at < text.length && values <= MOST_VALUES; at += 1)
    if (BEGINS_A_VALUE.has(text.charCodeAt(at))) values += 1;
  return values <= MOST_VALUES;
}
