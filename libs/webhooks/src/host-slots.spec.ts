import { HostSlots, type Slot } from './host-slots';

const HOST = 'hooks.example.com';

describe('HostSlots', () => {
  const slots = (perHost: number, perClient: number, slotWaitMs = 0) =>
    new HostSlots({ perHost, perClient, slotWaitMs });
  const taken = async (of: HostSlots, client: string, count: number): Promise<Slot[]> => {
    const asked = await Promise.all(Array.from({ length: count }, () => of.take(HOST, client)));
    return asked.filter((slot) => slot !== null);
  };

  it('gives one client no more than its share, and gives a slot again that was given back', async () => {
    const some = slots(10, 3);
    const [first] = await taken(some, 'a', 5);
    expect(await taken(some, 'a', 1)).toHaveLength(0);
    first?.giveBack();
    expect(await taken(some, 'a', 5)).toHaveLength(1);
    expect(await some.take('other.example.com', 'a')).toMatchObject({ waited: false });
  });

  it('does not let five hundred clients overrun the host they all point at', async () => {
    const some = slots(10, 3);
    const all = await Promise.all(Array.from({ length: 500 }, (_, index) => taken(some, `client ${index}`, 8)));
    expect(all.flat()).toHaveLength(20);
  });

  it('has one slot left for a client that has nothing under way, where others took all', async () => {
    const some = slots(6, 3);
    expect([...(await taken(some, 'a', 9)), ...(await taken(some, 'b', 9))]).toHaveLength(6);
    expect(await taken(some, 'c', 9)).toHaveLength(1);
  });

  it('seats whoever waits as soon as there is room, the one with the least under way first', async () => {
    const some = slots(2, 2, 60_000);
    const [first, second] = await taken(some, 'a', 2);
    const seated: string[] = [];
    const waits = ['a', 'a', 'b', 'c', 'd'].map(async (client) => {
      const slot = await some.take(HOST, client);
      seated.push(client);
      return slot;
    });
    await Promise.resolve();
    first?.giveBack();
    second?.giveBack();
    (await waits[2])?.giveBack();
    (await waits[3])?.giveBack();
    await Promise.all(waits.slice(2));
    expect(seated.slice(0, 3).sort()).toEqual(['b', 'c', 'd']);
    (await waits[4])?.giveBack();
    for (const wait of waits.slice(0, 2)) expect(await wait).toMatchObject({ waited: true });
  });

  it('tells those it turns away to come back the later the more they are, and forgets a host that is idle', async () => {
    const some = slots(2, 2);
    const ends = await taken(some, 'a', 2);
    const waits: number[] = [];
    for (let turn = 0; turn < 200; turn += 1) {
      expect(await some.take(HOST, 'a')).toBeNull();
      waits.push(some.secondsToWait(HOST, 'a', () => 1));
    }
    expect([waits[0], waits[9], waits[199]]).toEqual([2.05, 2.5, 12]);
    for (const { giveBack } of ends) giveBack();
    expect(some.secondsToWait(HOST, 'a', () => 1)).toBe(2);
  });

  it('keeps room in its line for a client whose attempts go well, whoever else fills it', async () => {
    const some = slots(48, 24, 60_000);
    const slow = await taken(some, 'slow', 24);
    const line = Array.from({ length: 96 }, () => some.take(HOST, 'slow'));
    const healthy = await taken(some, 'healthy', 24);
    const next = some.take(HOST, 'healthy');
    healthy[0]?.giveBack();
    expect(await next).toMatchObject({ waited: true });
    expect(await line[95]).toBeNull();
    const later = (client: string): number => some.secondsToWait(HOST, client, () => 1);
    expect(later('healthy')).toBe(2);
    expect(later('slow')).toBeGreaterThan(2);
    for (const { giveBack } of slow) giveBack();
    for (const waits of line) (await waits)?.giveBack();
  });

  it('turns away whoever comes to a full line in which nobody has more', async () => {
    const some = slots(2, 1, 60_000);
    const under = [...(await taken(some, 'a', 1)), ...(await taken(some, 'b', 1))];
    const line = ['a', 'b', 'a', 'b'].map((client) => some.take(HOST, client));
    expect([await some.take(HOST, 'a'), await some.take(HOST, 'b')]).toEqual([null, null]);
    for (const { giveBack } of under) giveBack();
    for (const waits of line) (await waits)?.giveBack();
  });
});
