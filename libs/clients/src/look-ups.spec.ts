import { createHash, randomBytes } from 'node:crypto';
import { LookUps } from './look-ups';

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A table of credentials, and how often it was asked. */
function table(...known: string[]) {
  const asked: number[] = [];
  let away = false;
  const lookUps = new LookUps(async (digests) => {
    asked.push(digests.length);
    await new Promise((resolve) => setImmediate(resolve));
    if (away) throw new Error('away');
    return known
      .filter((text) => digests.some((digest) => digest.equals(digestOf(text))))
      .map((text) => ({ text, digest: digestOf(text) }));
  });
  return { lookUps, asked, leave: () => void (away = true) };
}

describe('LookUps', () => {
  test('a thousand guesses at once cost a handful of statements, and the right one among them is found', async () => {
    const { lookUps, asked } = table('right');
    const guesses = Array.from({ length: 1_000 }, () => lookUps.byDigest(randomBytes(32), true));
    const right = lookUps.byDigest(digestOf('right'), true);
    expect((await right)?.text).toBe('right');
    expect((await Promise.all(guesses)).filter(Boolean)).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  test('whoever is not suspected waits for no guess', async () => {
    const { lookUps } = table('right');
    const order: string[] = [];
    const guesses = Array.from({ length: 2_000 }, () => lookUps.byDigest(randomBytes(32), true));
    void Promise.all(guesses).then(() => order.push('guesses'));
    await lookUps.byDigest(digestOf('right'), false).then(() => order.push('right'));
    await Promise.all(guesses);
    expect(order).toEqual(['right', 'guesses']);
  });

  test('the same wrong one again costs nothing, a right one is asked for each time', async () => {
    const { lookUps, asked } = table('right');
    const wrong = randomBytes(32);
    for (let time = 0; time < 5; time += 1) expect(await lookUps.byDigest(wrong, false)).toBeNull();
    expect(asked).toEqual([1]);
    for (let time = 0; time < 2; time += 1) expect(await lookUps.byDigest(digestOf('right'), false)).not.toBeNull();
    expect(asked).toEqual([1, 1, 1]);
  });

  test('a database that is away is asked once for all, and nobody counts as unknown for it', async () => {
    const { lookUps, asked, leave } = table('right');
    leave();
    const first = lookUps.byDigest(randomBytes(32), false);
    const others = [1, 2, 3].map(() => lookUps.byDigest(digestOf('right'), false));
    for (const answer of await Promise.allSettled([first, ...others])) expect(answer.status).toBe('rejected');
    expect(asked.length).toBeLessThanOrEqual(3);
    await expect(lookUps.byDigest(digestOf('right'), false)).rejects.toThrow('away');
  });
});
