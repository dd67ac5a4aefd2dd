/** What stays although there are funds makes room for others, until a look reached the end of what waits. */
import type { Fitting, Waiting } from '../db/held.reads';
import { ReleaseFunded } from './release-funded';
import type { WentOn } from './release-held';

const MOST_LOOKS = 200;

describe('payouts that wait for the funds of a rail', () => {
  const of = (clientId: string, count: number): Waiting[] =>
    Array.from({ length: count }, (_, nth) => ({
      ...{ id: `${clientId}-${nth}`, clientId, payeeId: `payee-${nth}`, amountCents: 1 },
    }));

  /** Returns what each sweep looked at, by client. */
  const sweeps = async (waiting: Waiting[], went: (one: Waiting) => WentOn, count: number): Promise<string[][]> => {
    const looked: Waiting[] = [];
    const funded = async (_: string, id: string): Promise<WentOn> => {
      const one = waiting.find((each) => each.id === id) as Waiting;
      looked.push(one);
      return went(one);
    };
    const waitingForRail = async (_: string, __: string, { without }: Fitting): Promise<Waiting[]> =>
      waiting.filter(({ id }) => !without.includes(id)).slice(0, MOST_LOOKS);
    const releasing = new ReleaseFunded(
      { railsShortOfFunds: async () => [{ provider: 'rail' }], waitingForRail } as never,
      {} as never,
      { funding: async () => [{ currency: 'USD', availableCents: 1_000_000 }] } as never,
      { funded } as never,
      {} as never,
    );
    const all: string[][] = [];
    for (let sweep = 0; sweep < count; sweep += 1) {
      looked.length = 0;
      await releasing.ofRails();
      all.push(looked.map(({ id }) => id));
    }
    return all;
  };

  test('have their turn again once a look reached the end, although another client is held up in each', async () => {
    const stay = of('stays', MOST_LOOKS);
    const ids = stay.map(({ id }) => id);
    const waiting = [...stay, ...of('held', 4)];
    const looked = await sweeps(waiting, ({ clientId }) => (clientId === 'held' ? 'late' : 'stays'), 4);
    expect(looked).toEqual([ids, ['held-0'], ids, ['held-1']]);
  });
});
