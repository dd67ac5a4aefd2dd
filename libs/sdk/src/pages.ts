/** Lists as what one walks through: the next page is asked for when the one before is used up. */
interface Page<T> {
  data: T[];
  nextCursor: string | null;
  /** Skips nothing, where there is one: `nextCursor` of payouts may skip those of the very same instant. */
  nextCursor2?: string | null;
}

export async function* walk<T>(
  ask: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await ask(cursor);
    yield* page.data;
    cursor = (page.nextCursor2 === undefined ? page.nextCursor : page.nextCursor2) ?? undefined;
  } while (cursor !== undefined);
}

export function queryText(query: object): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) given.set(name, String(value));
  const text = given.toString();
  return text === '' ? '' : `?${text}`;
}
