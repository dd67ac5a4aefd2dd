/** A fault as somebody asks for it, by hand as a rule: a word that is misspelt must not become a fault that strikes every call. */
import { EFFECTS, type Fault, NOTICE_EFFECTS } from './faults';

export const EVERY_EFFECT: readonly string[] = [...EFFECTS, ...NOTICE_EFFECTS];

const KNOWN = new Set(['effect', 'match', 'times', 'seconds', 'answer', 'words']);
const MATCHES = new Set(['method', 'path', 'contains']);
/** A timer holds no more milliseconds than some 24 days are. */
const MOST_SECONDS = 2_000_000;

type Given = Record<string, unknown>;

/** Throws what is wrong with it, in words. */
export function askedFault(given: Given): Fault {
  const { effect, match, times, seconds, answer, words } = given;
  if (!EVERY_EFFECT.includes(String(effect))) throw new Error(`Give 'effect', one of ${EVERY_EFFECT.join(', ')}.`);
  refuseOthers(given, KNOWN, '');
  if (match !== undefined) refuseMatch(match);
  refuseNumbers(times, seconds);
  if (answer !== undefined || effect === 'answer') refuseAnswer(answer);
  if (words !== undefined || effect === 'reworded') refuseWords(words);
  return given as unknown as Fault;
}

function refuseMatch(match: unknown): void {
  if (!isObject(match)) throw new Error("'match' is an object: method, path, contains.");
  refuseOthers(match, MATCHES, 'match.');
  const wrong = Object.keys(match).find((name) => typeof match[name] !== 'string');
  if (wrong !== undefined) throw new Error(`'match.${wrong}' is a text.`);
}

function refuseNumbers(times: unknown, seconds: unknown): void {
  if (times !== undefined && !(Number.isSafeInteger(times) && (times as number) > 0))
    throw new Error("'times' is a whole number above 0.");
  if (seconds !== undefined && !(typeof seconds === 'number' && seconds >= 0 && seconds <= MOST_SECONDS))
    throw new Error(`'seconds' is a number from 0 to ${MOST_SECONDS}.`);
}

function refuseAnswer(answer: unknown): void {
  const status = isObject(answer) ? answer.status : undefined;
  if (!(Number.isSafeInteger(status) && (status as number) >= 200 && (status as number) <= 599))
    throw new Error("'answer' is {status, body}, with a status from 200 to 599.");
}

function refuseWords(words: unknown): void {
  if (!isObject(words) || Object.values(words).some((word) => typeof word !== 'string'))
    throw new Error("'words' is an object: a text for each field that is to say another one.");
}

function refuseOthers(given: Given, known: ReadonlySet<string>, place: string): void {
  const other = Object.keys(given).find((name) => !known.has(name));
  if (other !== undefined) throw new Error(`There is no '${place}${other}', only ${[...known].join(', ')}.`);
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
