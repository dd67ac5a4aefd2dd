import { parseStrictJson } from './strict-json';

const parse = (text: string | Buffer): Promise<object> => parseStrictJson(Buffer.from(text as string));
const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

describe('strict JSON', () => {
  test('an ordinary body is read as it is', async () => {
    const body = { a: [1, { b: 'x"y\\', c: null }], d: { a: 1, e: '{"a":1,"a":2}' }, ü: '😀' };
    expect(await parse(JSON.stringify(body))).toEqual(body);
    expect(await parse('{ "n" : 1e3 , "m":[ ] }')).toEqual({ n: 1000, m: [] });
  });

  test('a body of many values is read in portions, and is the same', async () => {
    const row = (index: number): unknown =>
      [{ [`ü${index}`]: [[]], '': { '': index } }, [index, [{ '}': ']' }]], index, 'a,{', null][index % 5];
    const rows = Array.from({ length: 9_000 }, (_, index) => row(index));
    const body = { a: rows, '1': { b: rows.slice(0, 5) }, é: [], __: rows.slice(7), d: 'x' };
    const text = JSON.stringify(body).replace('{', '{"__proto__":[{"a":1}],');
    const read = await parse(text);
    expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    const pretty = JSON.stringify(body, null, 1);
    expect(await parse(pretty)).toEqual(body);
  });

  test.each([
    ['a key twice in a row', (rows: string) => rows.replace('{"k":5000}', '{"k":1,"k":2}')],
    ['a list twice', (rows: string) => `${rows},"a":[{"k":1}]`],
    ['a row that is no JSON', (rows: string) => rows.replace('{"k":5000}', '{"k":}')],
    ['a row that is closed wrongly', (rows: string) => rows.replace('{"k":5000}', '{"k":1]')],
    ['no comma between rows', (rows: string) => rows.replace('},{', '}{')],
    ['two commas between rows', (rows: string) => rows.replace('},{', '},,{')],
    ['a lone surrogate', (rows: string) => rows.replace('{"k":5000}', '{"k":"\\ud800"}')],
    ['a row after its list', (rows: string) => `${rows}{"k":1}`],
    ['a key without its value before a row', (rows: string) => rows.replace('{"k":5000}', '"x":{"k":1}')],
  ])('%s is found in portions too', async (_, change) => {
    const rows = `"a":[${Array.from({ length: 9_000 }, (_item, index) => `{"k":${index}}`).join(',')}]`;
    expect(Object.keys(await parse(`{${rows}}`))).toEqual(['a']);
    await expect(parse(`{${change(rows)}}`)).rejects.toMatchObject({ code: 'invalid_request' });
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
  ])('%p is no body', (text) => expect(parse(text)).rejects.toMatchObject({ code: 'invalid_request' }));

  test.each(['{"a":1,"a":2}', '{"b":{"a":1,"c":[{"a":1}],"a":2}}', '{"a":1,"\\u0061":2}'])(
    '%p has a key twice',
    (text) =>
      expect(parse(text)).rejects.toMatchObject({
        details: { fields: [{ path: 'a', message: 'is there twice in one object' }] },
      }),
  );

  test('equal keys in different objects, and equal texts as values, are fine', async () => {
    expect(await parse('[{"a":1},{"a":1}]'.replace(/^/, '{"x":').concat('}'))).toEqual({ x: [{ a: 1 }, { a: 1 }] });
    expect(await parse('{"a":"a","b":["a","a"]}')).toEqual({ a: 'a', b: ['a', 'a'] });
  });

  test('depth ends at 32 levels, whatever the length', async () => {
    await parse(nested(31));
    await expect(parse(nested(32))).rejects.toThrow('deeper');
    await expect(parse(nested(200_000))).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('a name that every object has is a name like any other, and reaches nothing', async () => {
    const body = (await parse('{"a":{"__proto__":{"x":1},"constructor":2}}')) as { a: { x?: number } };
    expect(Object.entries(body.a)).toEqual([
      ['__proto__', { x: 1 }],
      ['constructor', 2],
    ]);
    expect([body.a.x, ({} as { x?: number }).x]).toEqual([undefined, undefined]);
  });

  test.each(['{"a":"b\\u0000"}', '{"a":"\\ud800"}', '{"a":["\\udc00x"]}', '{"\\ud800":1}'])('%p is refused', (text) =>
    expect(parse(text)).rejects.toMatchObject({ code: 'invalid_request' }),
  );

  test('bytes that are no UTF-8 are refused', async () => {
    await expect(parse(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).rejects.toThrow('UTF-8');
  });

  test.each(['0.9999999999999999999', '1000.00000000000000000001', '99999999999.99999999999', '1e-400', '12.5e-400'])(
    'refuses %s, which only rounding makes whole',
    (number) => expect(parse(`{"a":[${number}]}`)).rejects.toThrow(/more digits/),
  );

  test.each([
    ['1e3', 1000],
    ['1000.00', 1000],
    ['15.0e1', 150],
    ['2500e-2', 25],
    ['0e-5', 0],
    ['-7', -7],
    ['0.5', 0.5],
  ])('keeps %s', async (number, value) => {
    expect(await parse(`{"a": ${number} ,"b":[${number}]}`)).toEqual({ a: value, b: [value] });
  });
});
