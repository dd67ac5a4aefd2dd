/** Keys of notices: those of the provider are had whatever names strangers make up. */
import { NamedKeys } from '#libs/rail-kit';
import { memoryRailStores } from './memory-rail-store';

const MINUTE = 60_000;

describe('keys that are known by a name', () => {
  let now: number;
  let asked: string[];
  let keys: NamedKeys<string>;
  /** Another one with the same records, or this one after a start. */
  let anotherProcess: () => NamedKeys<string>;

  beforeEach(() => {
    now = 0;
    asked = [];
    const ask = async (name: string): Promise<string | null> => {
      asked.push(name);
      if (name === 'down') throw new Error('down');
      return name.startsWith('strange') ? null : `key of ${name}`;
    };
    const store = memoryRailStores({ now: () => new Date(now) })('a_rail');
    anotherProcess = () => new NamedKeys(ask, store, () => now);
    keys = anotherProcess();
  });

  const said = (name: string, signedBy = `key of ${name}`): Promise<boolean | string> =>
    keys.signed(name, (key) => key === signedBy).catch(({ message }: Error) => message);
  const forged = (name: string): Promise<boolean | string> => said(name, 'another');

  it('are asked for once, however many ask at once', async () => {
    expect(await Promise.all([said('ours'), said('ours'), said('ours')])).toEqual([true, true, true]);
    expect(await said('ours')).toBe(true);
    expect(asked).toEqual(['ours']);
  });

  it('say whether they signed it', async () => {
    expect(await forged('ours')).toBe(false);
    expect(await said('strange')).toBe(false);
    expect(await said('ours')).toBe(true);
    expect(asked).toEqual(['ours', 'strange']);
  });

  it.each(['strange', 'down'])(
    'that are not to be had rest for a minute, and no other one with them: %s',
    async (name) => {
      await said(name);
      expect(await said(name)).toContain('a moment ago');
      expect(await said('ours')).toBe(true);
      now += MINUTE;
      await said(name);
      expect(asked).toEqual([name, 'ours', name]);
    },
  );

  it('are had while a stranger makes up a name now and then, for as long as they like', async () => {
    for (let times = 0; times < 100; times += 1) {
      await said(`strange ${times}`);
      now += MINUTE / 10;
    }
    expect(await said('ours')).toBe(true);
  });

  it('are not asked for without end, and had again once that is over', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, nth) => said(`strange ${nth}`)));
    expect(await said('ours')).toContain('a moment ago');
    expect(asked).toHaveLength(20);
    now += MINUTE;
    expect(await said('ours')).toBe(true);
  });

  it.each(['strange', 'real'])('that signed once are known whatever strangers do with %s names', async (kind) => {
    await said('ours');
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await Promise.all(Array.from({ length: 100 }, (_, nth) => forged(`${kind} ${nth}`)));
      expect(await said('ours')).toBe(true);
      now += MINUTE;
    }
    expect(asked.filter((name) => name === 'ours')).toHaveLength(1);
    expect(asked).toHaveLength(1 + 3 * 20);
  });

  it('that signed once are had after each start, whatever strangers made up by then, and these no more often', async () => {
    await said('ours');
    asked = [];
    keys = anotherProcess();
    for (let second = 0; second < 60; second += 1) {
      now += 1_000;
      await said(`strange ${second}`);
    }
    expect(await said('constructor')).toContain('a moment ago');
    expect(await said('ours')).toBe(true);
    expect(asked.filter((name) => name !== 'ours')).toHaveLength(20);
  });

  it('that signed for another process are had within a minute or two, though strangers go on', async () => {
    const flood = () => Promise.all(Array.from({ length: 100 }, (_, nth) => said(`strange ${nth} at ${now}`)));
    await flood();
    expect(await said('ours')).toContain('a moment ago');
    await anotherProcess().signed('ours', () => true);
    now += MINUTE;
    await flood();
    expect(await said('ours')).toBe(true);
  });

  it('are forgotten for those that signed since, the oldest first', async () => {
    for (let nth = 0; nth < 21; nth += 1) {
      await said(`ours ${nth}`);
      now += MINUTE;
    }
    await said('ours 20');
    await said('ours 1');
    expect(asked).toHaveLength(21);
    await said('ours 0');
    expect(asked).toHaveLength(22);
  });
});
