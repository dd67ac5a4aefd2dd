/**
 * Looks over the bytes of a JSON text before it is parsed: how deep it is, how much it holds, and whether a number says more
 * than can be kept. JSON.parse itself takes a third of a second for a body that is all keys or all brackets.
 */
import { invalidBody } from '#libs/domain';

const MAX_DEPTH = 32;
/** No object of the contract comes near; a table of routes has a member for each country there is. */
const MAX_MEMBERS = 1_000;
const MAX_ITEMS = 10_000;
/** A thousand rows with fifty values of metadata each stay below. */
const MAX_VALUES = 65_536;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

export interface JsonShape {
  /** Of all objects together. */
  members: number;
  /** All that there is, objects and lists included. */
  values: number;
  /** Some text is written with \u, and may be one that no bytes of UTF-8 could be. */
  escaped: boolean;
  /** Where the rows stand: neighbours in one list of the body, from the first byte of the first to the last of the last. */
  portions: Portion[];
}

export interface Portion {
  first: number;
  last: number;
}

/** The depth of a row: inside a list, inside the body. */
const ROW_DEPTH = 3;
const PORTION_BYTES = 16_384;

/** Whether it is JSON at all, the parser says: of what is none, this may say anything. */
export function shapeOf(bytes: Buffer): JsonShape {
  const scan = new Scan(bytes);
  scan.run();
  return scan;
}

class Scan implements JsonShape {
  members = 0;
  escaped = false;
  values = 0;
  readonly portions: Portion[] = [];
  /** Of the list that is open: rows of two lists are no neighbours. */
  private portion: Portion | null = null;
  /** Of each object or array that is open: how many values it has beside the first, and how many it may have. */
  private readonly counts = new Uint32Array(MAX_DEPTH + 1);
  private readonly limits = new Uint32Array(MAX_DEPTH + 1);
  private depth = 0;
  /** Two numbers with nothing between them are no JSON, and nothing that counts commas would bound them. */
  private mayBeNumber = true;

  constructor(private readonly bytes: Buffer) {}

  run(): void {
    const { bytes } = this;
    for (let at = 0; at < bytes.length; at += 1) at = this.pass(bytes[at] as number, at);
  }

  /** Returns the place of the last byte that belongs to what begins here. */
  private pass(byte: number, at: number): number {
    switch (byte) {
      case QUOTE:
        return this.endOfText(at);
      case COMMA:
        this.mayBeNumber = true;
        this.another();
        return at;
      case COLON:
        this.mayBeNumber = true;
        this.members += 1;
        return at;
      case OPEN_OBJECT:
        this.open(MAX_MEMBERS, at);
        return at;
      case OPEN_ARRAY:
        this.open(MAX_ITEMS, at);
        return at;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.close(at);
        return at;
      default:
        return byte === MINUS || isDigit(byte) ? this.endOfNumber(at) : at;
    }
  }

  private open(limit: number, at: number): void {
    this.depth += 1;
    this.mayBeNumber = true;
    if (this.depth === ROW_DEPTH - 1) this.portion = null;
    if (this.isAtRow() && !(this.portion && at - this.portion.first < PORTION_BYTES)) {
      this.portion = { first: at, last: at };
      this.portions.push(this.portion);
    }
    if (this.depth > MAX_DEPTH) throw invalidBody(`The body is nested deeper than ${MAX_DEPTH} levels.`);
    this.counts[this.depth] = 1;
    this.limits[this.depth] = limit;
    this.count();
  }

  private close(at: number): void {
    if (this.isAtRow() && this.portion) this.portion.last = at;
    this.depth = Math.max(0, this.depth - 1);
  }

  private isAtRow(): boolean {
    return this.depth === ROW_DEPTH && this.limits[ROW_DEPTH - 1] === MAX_ITEMS;
  }

  private another(): void {
    const beside = (this.counts[this.depth] as number) + 1;
    this.counts[this.depth] = beside;
    if (this.depth > 0 && beside > (this.limits[this.depth] as number))
      throw invalidBody(`An object holds more than ${MAX_MEMBERS} members, or a list more than ${MAX_ITEMS} items.`);
    this.count();
  }

  private count(): void {
    this.values += 1;
    if (this.values > MAX_VALUES) throw invalidBody(`The body holds more than ${MAX_VALUES} values.`);
  }

  private endOfText(start: number): number {
    const { bytes } = this;
    let at = start + 1;
    for (; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
      if (bytes[at] !== BACKSLASH) continue;
      at += 1;
      if (bytes[at] === LETTER_U) this.escaped = true;
    }
    return at;
  }

  private endOfNumber(start: number): number {
    const { bytes } = this;
    if (!this.mayBeNumber) throw invalidBody('The body is not valid JSON.');
    this.mayBeNumber = false;
    let end = start;
    let plain = true;
    for (; end + 1 < bytes.length && isOfNumber(bytes[end + 1] as number); end += 1)
      plain &&= isDigit(bytes[end + 1] as number);
    if (!plain) refuseRounded(bytes.toString('latin1', start, end + 1));
    return end;
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
/** A digit, a sign, a point or an e. */
const isOfNumber = (byte: number): boolean =>
  isDigit(byte) || byte === 0x2e || byte === 0x2b || byte === MINUS || byte === 0x65 || byte === 0x45;

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A number that only rounding makes whole is not what its caller signed. */
function refuseRounded(number: string): void {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const decimals = fraction.length - Number(exponent);
  const isWhole = decimals <= 0 || /^0*$/.test((whole + fraction).slice(-decimals));
  if (!isWhole && Number.isInteger(Number(number)))
    throw invalidBody(`The number ${number.slice(0, 40)} has more digits than can be kept.`);
}
