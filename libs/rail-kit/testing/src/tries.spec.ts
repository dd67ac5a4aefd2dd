/** When a call gets another key: only after the provider said no to it, and for all processes at once. */
import { keyOfTry, mayBeOut, Tries } from '#libs/rail-kit';
import { FixedClock } from './fixed-clock';
import { memoryRailStores } from './memory-rail-store';

describe('the tries of a call', () => {
  const clock = new FixedClock();
  const store = memoryRailStores(clock)('acme');
  const [here, there] = [new Tries(store, clock), new Tries(store, clock)];
  const keys = async (call: string): Promise<string[]> =>
    Promise.all([here, there].map(async (tries) => keyOfTry(call, await tries.current(call))));

  it('have one key until the provider says no, and then the same next one', async () => {
    expect(await keys('a')).toEqual(['a', 'a']);
    await here.isOver('a', 1);
    expect(await keys('a')).toEqual(['a:2', 'a:2']);
    // Said late, of a try that is over already.
    await there.isOver('a', 1);
    expect(await keys('a')).toEqual(['a:2', 'a:2']);
  });

  it('are begun by nobody who only looks', async () => {
    expect(await here.read('d')).toBeNull();
    expect(await here.read('d')).toBeNull();
    await here.sending('d', await here.current('d'));
    expect(await there.read('d')).toMatchObject({ number: 1, over: false, sent: 1, turnedAway: 0 });
    await here.isOver('d', 1);
    expect(await there.read('d')).toMatchObject({ number: 1, over: true });
  });

  it('may be out from the first time that they are sent until the provider says no, or did not look at any', async () => {
    const isOut = async (): Promise<boolean> => mayBeOut(await there.read('e'));
    const attempt = await here.current('e');
    expect(await isOut()).toBe(false);
    await here.sending('e', attempt);
    expect(await isOut()).toBe(true);
    await here.wasTurnedAway('e', attempt);
    expect(await isOut()).toBe(false);
    await here.sending('e', attempt);
    expect(await isOut()).toBe(true);
    await here.isOver('e', 1);
    expect(await isOut()).toBe(false);
  });

  it('are over as well if our records are older than what is', async () => {
    await here.current('b');
    await here.isOver('b', 3);
    expect(await keys('b')).toEqual(['b:4', 'b:4']);
  });

  it('have the next key ten minutes after they were sent for the last time, if the provider knows theirs with other words', async () => {
    const attempt = await here.current('f');
    const waits = async (): Promise<boolean> => here.waitsForOtherWords(await there.current('f'));
    await here.sending('f', attempt);
    expect(await waits()).toBe(false);
    await here.hasOtherWords('f', attempt);
    clock.advance(300);
    expect(await waits()).toBe(true);
    // By a process that does not know of other words.
    await there.sending('f', attempt);
    clock.advance(590);
    expect(await waits()).toBe(true);
    expect(await keys('f')).toEqual(['f', 'f']);
    clock.advance(10);
    expect(await keys('f')).toEqual(['f:2', 'f:2']);
    expect(await waits()).toBe(false);
    // Said late, of a try that is over already.
    await there.hasOtherWords('f', attempt);
    clock.advance(601);
    expect(await keys('f')).toEqual(['f:2', 'f:2']);
  });

  it('were certainly not looked at only if each of them was turned away', async () => {
    const attempt = await here.current('c');
    await here.sending('c', attempt);
    expect(await here.wasTurnedAway('c', attempt)).toBe(true);
    await there.sending('c', attempt);
    await here.sending('c', attempt);
    expect(await here.wasTurnedAway('c', attempt)).toBe(false);
    await here.isOver('c', 1);
    const next = await here.current('c');
    expect(await here.wasTurnedAway('c', attempt)).toBe(false);
    await here.sending('c', next);
    expect(await here.wasTurnedAway('c', next)).toBe(true);
  });

  it('are in doubt for ten minutes since they were sent last, if they may be out; records of before are not', async () => {
    const doubt = async (): Promise<boolean> => here.isInDoubt(await there.read('doubtful'));
    expect(await doubt()).toBe(false);
    const attempt = await here.current('doubtful');
    await here.sending('doubtful', attempt);
    clock.advance(590);
    expect(await doubt()).toBe(true);
    await there.sending('doubtful', attempt);
    clock.advance(590);
    expect(await doubt()).toBe(true);
    clock.advance(11);
    expect(await doubt()).toBe(false);
    await here.sending('doubtful', attempt);
    await here.isOver('doubtful', 1);
    expect(await doubt()).toBe(false);
    expect(here.isInDoubt({ number: 1, over: false, sent: 1, turnedAway: 0 })).toBe(false);
  });
});
