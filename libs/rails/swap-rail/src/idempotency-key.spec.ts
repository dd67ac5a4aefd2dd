/** The same call has the same key for ever, in the form that Circle takes. */
import { idempotencyKeyOf } from './idempotency-key';

describe('keys of calls', () => {
  it('are UUIDs of version 4, the same for the same words, and others for others', () => {
    const keys = Array.from({ length: 500 }, (_, number) => idempotencyKeyOf('pay', 'code', number));
    for (const key of keys)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(keys).size).toBe(500);
    expect(keys.map((_, number) => idempotencyKeyOf('pay', 'code', number))).toEqual(keys);
    expect(idempotencyKeyOf('a', 'bc')).not.toBe(idempotencyKeyOf('ab', 'c'));
  });
});
