import type { Refusal } from '#libs/domain';
import { Check, CountryCode, Metadata, Text } from './fields';
import { Limit } from './pages';
import { readRow } from './rows';
import { validationPipe } from './validation';

class Body {
  @Text(1, 10) name: string;
  @Metadata({ optional: true }) metadata?: Record<string, string>;
}

class Query {
  @Limit() limit?: number;
  @CountryCode({ optional: true }) country?: string;
}

class Row {
  @Text(1, 10) payeeId?: string;
  @Metadata({ optional: true }) metadata?: Record<string, string>;
}

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const named = (name: string, value: unknown): object => JSON.parse(`{"${name}":${JSON.stringify(value)}}`) as object;

describe('what was sent is checked as it was sent', () => {
  test.each(NAMES)('%s is no field of a body, of a query or of a row', async (name) => {
    const fields = [{ path: name, message: 'is not a known property' }];
    const body = validationPipe.transform({ name: 'Ada', ...named(name, 'x') }, { type: 'body', metatype: Body });
    await expect(body).rejects.toMatchObject({ code: 'invalid_request', details: { fields } });
    const query = Object.assign(Object.create(null) as object, { limit: '5' });
    Object.defineProperty(query, name, { value: '1', enumerable: true });
    const read = validationPipe.transform(query, { type: 'query', metatype: Query });
    await expect(read).rejects.toMatchObject({ code: 'invalid_request', details: { fields } });
    expect(readRow(Row, { payeeId: 'x', ...named(name, 'x') })).toMatchObject({ error: 'invalid_row' });
  });

  test.each(NAMES)('%s is a key of metadata like any other', async (name) => {
    const sent = { name: 'Ada', metadata: named(name, 'x') };
    const body = (await validationPipe.transform(sent, { type: 'body', metatype: Body })) as Body;
    const row = readRow(Row, { payeeId: 'x', metadata: named(name, 'x') }) as Row;
    for (const { metadata } of [body, row]) {
      expect(Object.entries(metadata ?? {})).toEqual([[name, 'x']]);
      expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
    }
  });

  test('fields are still changed and refused as their classes say', async () => {
    const metadata = { type: 'query', metatype: Query } as const;
    expect(await validationPipe.transform({ limit: '5', country: 'gb' }, metadata)).toEqual({
      limit: 5,
      country: 'GB',
    });
    await expect(validationPipe.transform({ limit: ['5', '6'] }, metadata)).rejects.toMatchObject({
      details: { fields: [{ path: 'limit' }] },
    });
    await expect(validationPipe.transform({ limits: '5' }, metadata)).rejects.toMatchObject({
      details: { fields: [{ path: 'limits', message: 'is not a known property' }] },
    });
  });

  test('a field that is left out is said to be required, one that is wrong is not', async () => {
    const said = async (sent: object): Promise<unknown> =>
      validationPipe.transform(sent, { type: 'body', metatype: Body }).catch(({ details }: Refusal) => details?.fields);
    expect(await said({})).toEqual([
      { path: 'name', message: 'is required, and must be a string of 1 to 10 characters' },
    ]);
    expect(await said({ name: 7 })).toEqual([{ path: 'name', message: 'must be a string of 1 to 10 characters' }]);
    class Owed extends Row {
      @Text(1, 10) ref: string;
    }
    expect(readRow(Owed, { payeeId: 'x' })).toMatchObject({ message: expect.stringContaining('ref is required') });
  });

  const unknown = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

  test('of many complaints twenty are listed, and how many more there are is said', async () => {
    const sent = { ...unknown(1_000), name: 7 };
    const refused = validationPipe.transform(sent, { type: 'body', metatype: Body });
    const { message, details } = (await refused.catch((refusal: unknown) => refusal)) as Refusal;
    expect(details?.fields).toHaveLength(20);
    expect(details?.fields?.[0]).toEqual({ path: 'k0', message: 'is not a known property' });
    expect(message).toContain('there are 981 more');
  });

  test('what no class declares never becomes part of an instance', async () => {
    const made: object[] = [];
    class Watched {
      @Text(1, 10) name: string;
      constructor() {
        made.push(this);
      }
    }
    const refused = validationPipe.transform({ ...unknown(1_000), name: 7 }, { type: 'body', metatype: Watched });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
    expect(made.map((instance) => Object.keys(instance))).toEqual([['name']]);
  });

  test('a name is not repeated at any length', async () => {
    const refused = validationPipe.transform({ ['k'.repeat(1_000_000)]: 1 }, { type: 'body', metatype: Query });
    await expect(refused).rejects.toMatchObject({ details: { fields: [{ path: `${'k'.repeat(100)}…` }] } });
    const row = readRow(Row, { payeeId: 'x', ['k'.repeat(1_000_000)]: 1 });
    expect(row).toEqual({ error: 'invalid_row', message: `${'k'.repeat(100)}… is not a known property` });
  });

  test('a row is refused for its first bad field, and later ones are not looked at', () => {
    let looks = 0;
    class Counted {
      @Text(1, 10) payeeId: string;
      @Check((value) => (looks += 1) > 0 && value === 1, 'must be 1') a: number;
      @Check((value) => (looks += 1) > 0 && value === 1, 'must be 1') b: number;
    }
    expect(readRow(Counted, { payeeId: 'x', a: 2, b: 2 })).toEqual({ error: 'invalid_row', message: 'a must be 1' });
    expect(looks).toBe(1);
    expect(readRow(Counted, { payeeId: 'x', a: 1, b: 1 })).toEqual({ payeeId: 'x', a: 1, b: 1 });
  });
});
