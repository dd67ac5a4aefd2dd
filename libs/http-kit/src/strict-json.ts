/**
 * JSON that can be read in only one way. JSON.parse lets the last of two equal keys win and takes any depth, so two
 * readers of the same signed bytes could see two payments; this refuses such texts first.
 */
import { invalidBody, invalidField } from '#libs/domain';

const MAX_DEPTH = 32;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type JsonObject = Record<string, unknown>;

export function parseStrictJson(bytes: Buffer): JsonObject {
  const text = decode(bytes);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidBody('The body must be a JSON object.');
  refuseAmbiguity(text);
  refuseBadText(value, '');
  return value as JsonObject;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidBody('The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidBody('The body is not valid JSON.');
  }
}

/** One pass over a text that is known to be valid JSON: the depth, and each object's keys. */
function refuseAmbiguity(text: string): void {
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
      if (open.push(character === '{' ? new Set() : null) > MAX_DEPTH)
        throw invalidBody(`The body is nested deeper than ${MAX_DEPTH} levels.`);
      expectsKey = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      expectsKey = false;
    } else if (character === ',') {
      expectsKey = open[open.length - 1] !== null;
    } else {
      index += Math.max(numberAt(text, index).length - 1, 0);
    }
  }
}

const NUMBER = /-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;

/** The number that begins here, or nothing. One that only rounding makes whole is not what its caller signed. */
function numberAt(text: string, index: number): string {
  NUMBER.lastIndex = index;
  const match = NUMBER.exec(text);
  if (!match) return '';
  const [number, whole = '', fraction = '', exponent = '0'] = match;
  const decimals = fraction.length - Number(exponent);
  const isWhole = decimals <= 0 || /^0*$/.test((whole + fraction).slice(-decimals));
  if (!isWhole && Number.isInteger(Number(number)))
    throw invalidBody(`The number ${number.slice(0, 40)} has more digits than can be kept.`);
  return number;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text.charCodeAt(index) !== QUOTE) index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  return index;
}

function addKey(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw invalidField(key, 'is there twice in one object');
  keys.add(key);
}

/** Postgres cannot store NUL, and stores a lone surrogate as something else: two inputs would become one. */
function refuseBadText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !isWellFormed(value)) throw invalidField(path, 'must not hold NUL or lone surrogates');
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => refuseBadText(item, `${path}[${index}]`));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseBadText(key, path);
      refuseBadText(item, path ? `${path}.${key}` : key);
    }
  }
}

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
