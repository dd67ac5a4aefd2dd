import { CountryCode, Metadata, Text } from './fields';
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
});
