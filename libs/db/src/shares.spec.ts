/** In the line of one client whoever has a moment comes before whoever has ten seconds (ADR 126). */
import { onBehalf, Shares } from './shares';

const MOST = 2;

describe('a client that has all connections that it may', () => {
  let taken = 0;
  const shares = new Shares({ most: () => MOST, free: () => MOST - taken });
  const ended: string[] = [];
  const work = (of: string, name: string, until: Promise<void>, briefly = false): Promise<void> =>
    onBehalf(of, () =>
      shares.run(async () => {
        taken += 1;
        await until;
        taken -= 1;
        ended.push(name);
      }, briefly),
    );

  test('gives the next one that comes back to its brief work, however much else of it waits', async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const now = Promise.resolve();
    const begun = work('loud', 'held', held);
    const usual = ['one', 'two', 'three'].map((name) => work('loud', name, now));
    const brief = ['brief', 'second brief'].map((name) => work('loud', name, now, true));
    await work('quiet', 'quiet', now);
    letGo();
    await Promise.all([begun, ...usual, ...brief]);
    expect(ended).toEqual(['quiet', 'held', 'brief', 'second brief', 'one', 'two', 'three']);
  });
});
