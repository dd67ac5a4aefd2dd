import { DatabaseTrouble } from '#libs/db';
import type { Payout } from '#libs/payout-rules';
import type { AskRail, PayoutJobs, PayoutReads } from '#libs/payouts';
import { HearNews } from './hear-news';

const HELD = new DatabaseTrouble('timeout', new Error('somebody holds this job'));

describe('payouts that a rail listed and says nothing new of', () => {
  function hearing(heldOf: string | null) {
    const left: unknown[] = [];
    const lookAll = async (payouts: Payout[], seconds: number): Promise<void> => {
      const [first] = payouts;
      if (first && first.clientId === heldOf) throw HELD;
      left.push([payouts.map(({ id }) => id), seconds]);
    };
    const asking = {
      ask: async ({ id }: Payout) => ({ kind: id.endsWith('silent') ? 'unknown' : 'never_seen' }),
      apply: async (payout: Payout) => payout,
    };
    const findAll = async (ids: string[]) => ids.map((id) => ({ id, clientId: id.slice(0, 1), status: 'failed' }));
    const news = new HearNews(
      { findAll } as unknown as PayoutReads,
      asking as unknown as AskRail,
      { lookAll } as unknown as PayoutJobs,
    );
    return { news, left };
  }

  test('are left to jobs client by client, so that one client’s are waited for with one connection', async () => {
    const { news, left } = hearing(null);
    await news.of(['a1', 'b1', 'a2', 'b silent']);
    expect(left).toEqual([
      [['a1', 'a2'], 600],
      [['b1'], 600],
      [['b silent'], 0],
    ]);
  });

  test('are left to jobs although those of another client cannot be, and the comparison is told', async () => {
    const { news, left } = hearing('a');
    await expect(news.of(['a1', 'b1', 'c1'])).rejects.toBe(HELD);
    expect(left).toEqual([
      [['b1'], 600],
      [['c1'], 600],
    ]);
  });
});
