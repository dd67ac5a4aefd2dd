import { parseStrictJson } from './strict-json';

const parse = (text: string | Buffer): unknown => parseStrictJson(Buffer.from(text as string));
const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

describe('strict JSON', () => {
  test('an ordinary body is read as it is', () => {
    const body = { a: [1, { b: 'x"y\\', c: null }], d: { a: 1, e: '{"a":1,"a":2}' }, ü: '😀' };
    expect(parse(JSON.stringify(body))).toEqual(body);
    expect(parse('{ "n" : 1e3 , "m":[ ] }')).toEqual({ n: 1000, m: [] });
  });

  test.each([
    '[]',
    '"x"',
    'null',
    '1',
    'true',
    '',
    '{',
    '{"a":1}x',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":01}',
    '\ufeff{"a":1}',
  ])('%p is no body', (text) =>
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_request' })),
  );

  test.each(['{"a":1,"a":2}', '{"b":{"a":1,"c":[{"a":1}],"a":2}}', '{"a":1,"\\u0061":2}'])(
    '%p has a key twice',
    (text) =>
      expect(() => parse(text)).toThrow(
        expect.objectContaining({ details: { fields: [{ path: 'a', message: 'is there twice in one object' }] } }),
      ),
  );

  test('equal keys in different objects, and equal texts as values, are fine', () => {
    expect(parse('[{"a":1},{"a":1}]'.replace(/^/, '{"x":').concat('}'))).toEqual({ x: [{ a: 1 }, { a: 1 }] });
    expect(parse('{"a":"a","b":["a","a"]}')).toEqual({ a: 'a', b: ['a', 'a'] });
  });

  test('depth ends at 32 levels, whatever the length', () => {
    expect(() => parse(nested(31))).not.toThrow();
    expect(() => parse(nested(32))).toThrow('deeper');
    expect(() => parse(nested(200_000))).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  test('a name that every object has is a name like any other, and reaches nothing', () => {
    const body = parse('{"a":{"__proto__":{"x":1},"constructor":2}}') as { a: { x?: number } };
    expect(Object.entries(body.a)).toEqual([
      ['__proto__', { x: 1 }],
      ['constructor', 2],
    ]);
    expect([body.a.x, ({} as { x?: number }).x]).toEqual([undefined, undefined]);
  });

  test.each(['{"a":"b\\u0000"}', '{"a":"\\ud800"}', '{"a":["\\udc00x"]}', '{"\\ud800":1}'])('%p is refused', (text) =>
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_request' })),
  );

  test('bytes that are no UTF-8 are refused', () => {
    expect(() => parseStrictJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow('UTF-8');
  });

  test.each(['0.9999999999999999999', '1000.00000000000000000001', '99999999999.99999999999', '1e-400', '12.5e-400'])(
    'refuses %s, which only rounding makes whole',
    (number) => {
      expect(() => parseStrictJson(Buffer.from(`{"a":[${number}]}`))).toThrow(/more digits/);
    },
  );

  test.each([
    ['1e3', 1000],
    ['1000.00', 1000],
    ['15.0e1', 150],
    ['2500e-2', 25],
    ['0e-5', 0],
    ['-7', -7],
    ['0.5', 0.5],
  ])('keeps %s', (number, value) => {
    expect(parseStrictJson(Buffer.from(`{"a": ${number} ,"b":[${number}]}`))).toEqual({ a: value, b: [value] });
  });
});
