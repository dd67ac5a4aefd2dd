/** A list of movements, page by page, however its rail gives it. */
import type { RailMovement } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { soundMovements } from './sound';

/** A list that goes on for longer, or in more pages, is given up: a provider may send the same page for ever. */
const LIST_MS = 600_000;
const MOST_PAGES = 10_000;

export type Listing = AsyncIterator<RailMovement[], RailMovement[]>;
interface Read {
  kind: 'read';
  done: boolean;
}

/** Each page is a call of its own; null if one of them is not to be had. */
export async function wholeList(
  rail: string,
  begin: () => Listing,
  call: (read: () => Promise<Read>) => Promise<Read | { kind: 'unknown' | 'not_now' }>,
): Promise<RailMovement[] | null> {
  const all: RailMovement[] = [];
  let listing: Listing | undefined;
  let page: RailMovement[] = [];
  const until = performance.now() + LIST_MS;
  for (let read = 0; read < MOST_PAGES && performance.now() < until; read += 1) {
    const fact = await call(async () => {
      listing ??= begin();
      const { done = false, value } = await listing.next();
      // Not part of what the call answers, which is made legible in one go.
      page = await soundMovements(value);
      return { kind: 'read', done };
    });
    if (fact.kind !== 'read') return null;
    for (const movement of page) all.push(movement);
    if (fact.done) return all;
  }
  log.warn({ event: 'movements.endless', rail }, 'a list of movements was given up: it did not end');
  return null;
}

/** The value it returns at the end is a page too; if a list comes all at once, it is the only one. */
export async function* pagesOf(
  listing: Promise<RailMovement[]> | AsyncIterable<RailMovement[]>,
): AsyncGenerator<RailMovement[], RailMovement[]> {
  if (!(Symbol.asyncIterator in listing)) return listing;
  yield* listing;
  return [];
}
