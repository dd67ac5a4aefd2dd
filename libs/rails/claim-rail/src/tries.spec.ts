import { memoryRailStores } from '#libs/rail-kit/testing';
import { Tries, type Try } from './tries';

describe('the name after one that came to nothing', () => {
  const clock = { now: () => new Date('2026-11-25T12:00:00Z') };
  const tries = (): Tries => new Tries(memoryRailStores(clock)('claim_rail'), clock);

  it('is begun, and counted, by one of two who saw that', async () => {
    const both = tries();
    const first = await both.toSend('key');
    await both.sending('key', first);
    const [one, other] = [await both.following('key', first, 'BATCH'), await both.following('key', first, 'BATCH')];
    expect(one).toMatchObject({ number: 2, sent: 0, turnedAway: 0 });
    expect(await both.current('key')).toMatchObject({ number: 2, sent: 1, turnedAway: 0 });
    expect(other).toBeNull();
    expect(await both.note('key', first, { refused: true })).toBe(false);
  });

  it.each<[string, (both: Tries, first: Try) => Promise<unknown>]>([
    ['told that it came to nothing', (both, first) => both.note('key', first, { refused: true })],
    ['knows its batch', (both, first) => both.note('key', first, { batchId: 'B' })],
    ['sent it as well', (both, first) => both.sending('key', first)],
  ])('is not begun once another call %s', async (_, meanwhile) => {
    const both = tries();
    const first = await both.toSend('key');
    await both.sending('key', first);
    await meanwhile(both, first);
    expect(await both.following('key', first, 'BATCH')).toBeNull();
  });

  it('is not begun by who slept while that was turned away as well', async () => {
    const both = tries();
    const first = await both.toSend('key');
    await both.sending('key', first);
    const second = await both.following('key', first, 'BATCH');
    expect(second && (await both.nothingCame('key', second))).toBe(true);
    expect(await both.following('key', first, 'BATCH')).toBeNull();
  });
});
