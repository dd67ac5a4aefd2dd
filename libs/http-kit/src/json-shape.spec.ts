import { shapeOf } from './json-shape';
import { parseStrictJson } from './strict-json';

const shape = (text: string): object => {
  const { members, escaped } = shapeOf(Buffer.from(text));
  return { members, escaped };
};
const parsing = () => jest.spyOn(JSON, 'parse');
/** Whoever reads the stack of an error for the first time parses the maps to the sources, which would count as calls. */
beforeAll(() => expect(parseStrictJson(Buffer.from('[1 2]'))).rejects.toThrow());
afterEach(() => jest.restoreAllMocks());

describe('the shape of a JSON text', () => {
  test.each([
    ['{}', 0, false],
    ['{"a":{"b:,{[":1},"c":[{"d":"\\"e\\":"}]}', 4, false],
    ['{"\\u0061":1}', 1, true],
    ['{"a":"\\\\u0061"}', 1, false],
    ['{"a":"é😀","b":-1.50e+3}', 2, false],
  ])('%s', (text, members, escaped) => expect(shape(text)).toEqual({ members, escaped }));

  test.each(['', '"', '{"a', '{"a":"\\', ']]]]{{', '}{', '1.2.3-e'])(
    '%p is none, and is passed over all the same',
    (text) => {
      expect(() => shapeOf(Buffer.from(text))).not.toThrow();
    },
  );

  test.each(['{"a":[0.5 0.5]}', '{"a":[0.5x0.5]}', '1 2', '{"a":1 2}', '[[1] 2]'])(
    '%s has a number where none can be, and is looked at no further',
    async (text) => {
      const parse = parsing();
      await expect(parseStrictJson(Buffer.from(text))).rejects.toThrow('not valid JSON');
      expect(parse).not.toHaveBeenCalled();
    },
  );

  const list = (count: number, item: string): string => Array.from({ length: count }, () => item).join(',');
  const members = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');

  test.each([
    ['a thousand members', `{${members(1_000)}}`, `{${members(1_001)}}`, 'more than 1000 members'],
    ['ten thousand items', `{"a":[${list(10_000, '1')}]}`, `{"a":[${list(10_001, '1')}]}`, 'more than 10000 items'],
    [
      'the values of a thousand rows with all their metadata',
      `{"items":[${list(1_000, `{${members(59)}}`)}]}`,
      `{"items":[${list(1_000, `{${members(66)}}`)}]}`,
      'more than 65536 values',
    ],
  ])('%s are read, and one more is refused before anything is parsed', async (_, most, more, message) => {
    expect(Object.keys(await parseStrictJson(Buffer.from(most))).length).toBeGreaterThan(0);
    const parse = parsing();
    await expect(parseStrictJson(Buffer.from(more))).rejects.toThrow(message);
    expect(parse).not.toHaveBeenCalled();
  });

  test('a text is parsed once as a whole, and each key alone only when some are missing', async () => {
    const parse = parsing();
    await parseStrictJson(Buffer.from(`{${members(1_000)}}`));
    expect(parse).toHaveBeenCalledTimes(1);
    await expect(parseStrictJson(Buffer.from('{"a":{"b":1,"b":2}}'))).rejects.toThrow('see details.fields');
  });

  test('rows are parsed in portions, and others have their turn between them', async () => {
    const rows = `{"items":[${list(1_000, `{${members(20)}}`)}]}`;
    const lengths: number[] = [];
    const parse = JSON.parse.bind(JSON);
    parsing().mockImplementation((text) => {
      lengths.push(text.length);
      return parse(text) as unknown;
    });
    const turns: number[] = [];
    let reading = true;
    const others = (async () => {
      for (; reading; await new Promise(setImmediate)) turns.push(lengths.length);
    })();
    await parseStrictJson(Buffer.from(rows));
    reading = false;
    await others;
    expect(Math.max(...lengths)).toBeLessThan(rows.length / 8);
    expect(new Set(turns).size).toBeGreaterThan(8);
  });
});
