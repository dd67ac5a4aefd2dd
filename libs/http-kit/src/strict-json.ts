/**
 * JSON that can be read in only one way. JSON.parse lets the last of two equal keys win and takes any depth, so two
 * readers of the same signed bytes could see two payments; this refuses such texts. Each step is one pass.
 */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { invalidBody, invalidField } from '#libs/domain';
import { type JsonShape, type Portion, shapeOf } from './json-shape';
import { shown } from './shown';

/** Ten thousands of different keys take the parser a tenth of a second: from here on it is given them in portions. */
const MANY_VALUES = 8_192;
const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type JsonObject = Record<string, unknown>;

export async function parseStrictJson(bytes: Buffer): Promise<JsonObject> {
  const shape = shapeOf(bytes);
  const value = shape.values < MANY_VALUES ? parse(bytes) : await parseInPortions(bytes, shape);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidBody('The body must be a JSON object.');
  if (keysIn(value) !== shape.members) refuseEqualKeys(decode(bytes));
  if (shape.escaped) refuseBadText(value);
  return value as JsonObject;
}

/** A part of the rows at a time, and others have their turn in between. */
async function parseInPortions(bytes: Buffer, { portions }: JsonShape): Promise<unknown> {
  const outline = parse(outlineOf(bytes, portions));
  const lists = Object.entries((outline ?? {}) as object).filter(([, value]) => Array.isArray(value));
  for (const [name, list] of lists as [string, unknown[]][]) {
    const filled: unknown[] = [];
    for (const item of list) {
      if (!isPlaceholder(item)) {
        filled.push(item);
        continue;
      }
      const { first, last } = portions[item['']] as Portion;
      for (const row of parse(Buffer.concat([OPEN, bytes.subarray(first, last + 1), CLOSE])) as unknown[])
        filled.push(row);
      await othersFirst();
    }
    Object.defineProperty(outline, name, { value: filled });
  }
  return outline;
}

/** The text with an object in place of each portion that holds nothing but its number. Any other row is in a portion. */
function outlineOf(bytes: Buffer, portions: Portion[]): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const [number, { first, last }] of portions.entries()) {
    pieces.push(bytes.subarray(from, first), Buffer.from(`{"":${number}}`));
    from = last + 1;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}

const isPlaceholder = (item: unknown): item is { '': number } => typeof item === 'object' && item !== null;

function parse(bytes: Buffer): unknown {
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidBody('The body is not valid JSON.');
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidBody('The body is not valid UTF-8.');
  }
}

/** Fewer than were written, if two in one object are equal. */
function keysIn(value: object): number {
  const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let keys = Array.isArray(value) ? 0 : inside.length;
  for (const item of inside) if (typeof item === 'object' && item !== null) keys += keysIn(item);
  return keys;
}

/** Finds the one that is there twice, in a text that is known to be valid JSON. */
function refuseEqualKeys(text: string): void {
  const open: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') {
      const end = endOfString(text, index);
      const keys = open[open.length - 1];
      if (expectsKey && keys) addKey(keys, JSON.parse(text.slice(index, end + 1)) as string);
      expectsKey = false;
      index = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null);
      expectsKey = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      expectsKey = false;
    } else if (character === ',') {
      expectsKey = open[open.length - 1] !== null;
    }
  }
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text.charCodeAt(index) !== QUOTE) index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  return index;
}

function addKey(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw invalidField(shown(key), 'is there twice in one object');
  keys.add(key);
}

/** Postgres cannot store NUL, and stores a lone surrogate as something else: two inputs would become one. */
function refuseBadText(value: object): void {
  const path = pathOfBadText(value);
  if (path !== null) throw invalidField(shown(path.replace(/^\./, '')), 'must not hold NUL or lone surrogates');
}

/** From here on inwards; null if all of it can be stored. */
function pathOfBadText(value: unknown): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : '';
  if (typeof value !== 'object' || value === null) return null;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    if (!isList && !isStorable(key)) return '';
    const inside = pathOfBadText(item);
    if (inside !== null) return `${isList ? `[${key}]` : `.${key}`}${inside}`;
  }
  return null;
}

const isStorable = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text);
