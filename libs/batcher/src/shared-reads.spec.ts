/** Many that ask for one thing read it once, and nobody gets an answer that is older than their question. */
import { asker, onBehalf } from '#libs/db';
import { happening } from '#libs/db/testing';
import { SharedReads } from './shared-reads';

describe('shared reads', () => {
  const reads = new SharedReads();
  const settled = (): Promise<void> => new Promise((goOn) => setImmediate(() => setImmediate(goOn)));

  test('all that ask together read once, each name for itself', async () => {
    const one = jest.fn(async () => 1);
    const other = jest.fn(async () => 2);
    const asked = Array.from({ length: 900 }, (_, nth) =>
      nth % 2 ? reads.of('a', 'one', one) : reads.of('a', 'other', other),
    );
    expect(new Set(await Promise.all(asked))).toEqual(new Set([1, 2]));
    expect([one.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
  });

  test('who asks while it is read has it read anew, with all who ask meanwhile', async () => {
    const answers = [happening(), happening()];
    let begun = 0;
    const read = async (): Promise<number> => {
      const nth = begun;
      begun += 1;
      await answers[nth]?.promise;
      return nth;
    };
    const first = reads.of('a', 'slow', read);
    await settled();
    const later = [reads.of('a', 'slow', read), reads.of('a', 'slow', read)];
    answers[0]?.happens();
    expect(await first).toBe(0);
    answers[1]?.happens();
    expect(await Promise.all(later)).toEqual([1, 1]);
    expect(begun).toBe(2);
  });

  test('few are read at once, however many are asked for', async () => {
    let [now, most] = [0, 0];
    const read = async (): Promise<void> => {
      now += 1;
      most = Math.max(most, now);
      await settled();
      now -= 1;
    };
    await Promise.all(Array.from({ length: 300 }, (_, nth) => reads.of('a', `thing ${nth}`, read)));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  test('what fails fails for who asked for it, and is read again for the next', async () => {
    const failing = reads.of('a', 'bad', () => Promise.reject(new Error('not now')));
    const well = reads.of('a', 'good', async () => 'there');
    await expect(failing).rejects.toThrow('not now');
    expect(await well).toBe('there');
    expect(await reads.of('a', 'bad', async () => 'by now')).toBe('by now');
  });

  test('is read on behalf of nobody: whoever asked first may be gone', async () => {
    expect(await onBehalf('a client', () => reads.of('a', 'whose', async () => asker()))).toBeNull();
  });
});
