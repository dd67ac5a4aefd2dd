/** Keys of notices: those of the provider are had whatever names strangers make up. */
import { NamedKeys } from './named-keys';

const MINUTE = 60_000;

describe('keys that are known by a name', () => {
  let now: number;
  let asked: string[];
  let keys: NamedKeys<string>;

  beforeEach(() => {
    now = 0;
    asked = [];
    const ask = async (name: string): Promise<string | null> => {
      asked.push(name);
      if (name === 'down') throw new Error('down');
      return name.startsWith('strange') ? null : `key of ${name}`;
    };
    keys = new NamedKeys(ask, () => now);
  });

  const said = (name: string): Promise<string | null> => keys.find(name).catch(({ message }: Error) => message);

  it('are asked for once, however many ask at once', async () => {
    expect(await Promise.all([said('ours'), said('ours'), said('ours')])).toEqual(Array(3).fill('key of ours'));
    expect(await said('ours')).toBe('key of ours');
    expect(asked).toEqual(['ours']);
  });

  it.each(['strange', 'down'])(
    'that are not to be had rest for a minute, and no other one with them: %s',
    async (name) => {
      await said(name);
      expect(await said(name)).toContain('a moment ago');
      expect(await said('ours')).toBe('key of ours');
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
    expect(await said('ours')).toBe('key of ours');
  });

  it('are not asked for without end, and had again once that is over', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, nth) => said(`strange ${nth}`)));
    expect(await said('ours')).toContain('a moment ago');
    expect(asked).toHaveLength(20);
    now += MINUTE;
    expect(await said('ours')).toBe('key of ours');
  });

  it('that were had are had whatever strangers do', async () => {
    await said('ours');
    await Promise.all(Array.from({ length: 100 }, (_, nth) => said(`strange ${nth}`)));
    expect(await said('ours')).toBe('key of ours');
  });
});
