import { asSent } from './sql';

describe('a value, as it is sent', () => {
  test('objects are JSON, alone and in arrays', () => {
    expect(asSent({ a: 1 })).toBe('{"a":1}');
    expect(asSent([{ a: 1 }, null, 'b'])).toEqual(['{"a":1}', null, 'b']);
    expect(asSent([['a', { b: 2 }]])).toEqual([['a', '{"b":2}']]);
  });

  test('everything else is left to the driver', () => {
    for (const value of [null, 'a', 1, 1n, true, new Date(0), Buffer.from('a'), ['a', null], [Buffer.from('a')]])
      expect(asSent(value)).toEqual(value);
  });

  test('what cannot be JSON is an error at once', () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const value of [circular, { n: 1n }, [1, circular]]) expect(() => asSent(value)).toThrow(TypeError);
  });
});
