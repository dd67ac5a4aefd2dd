import type { Client } from '#libs/clients';
import type { Db } from '#libs/db';
import type { SelfReleaseJobs } from '#libs/payouts';
import { NotItsTurn } from '../db/long-turn';
import { AdvanceClock } from './advance-clock';
import { LongTurns } from './long-turns';
import type { MoveTimes } from './move-times';

const NO_LINE = { execute: async () => 0 } as unknown as Db;
const NONE = { railQuestions: 0, retries: 0, webhooks: 0, mails: 0, others: 0 };

describe('calls of the clock at once', () => {
  /** Moves that are under way, until they are let go. */
  function held() {
    const underWay: { id: string; letGo: () => void }[] = [];
    const move = (id: string): Promise<typeof NONE> =>
      new Promise((done) => underWay.push({ id, letGo: () => done(NONE) }));
    const clock = new AdvanceClock(
      new LongTurns(NO_LINE),
      { run: move } as unknown as MoveTimes,
      { ofEarlierDays: async () => 0 } as unknown as SelfReleaseJobs,
    );
    return { underWay, pass: (id: string) => clock.run({ id, testMode: true } as Client, 1) };
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('of one client come one after the other, and leave room for another', async () => {
    const { underWay, pass } = held();
    const calls = ['one', 'one', 'one', 'two'].map(pass);
    await turn();
    expect(underWay.map(({ id }) => id)).toEqual(['one', 'two']);
    for (let place = 0; place < calls.length; place += 1) {
      underWay[place]?.letGo();
      await turn();
    }
    expect(underWay.map(({ id }) => id)).toEqual(['one', 'two', 'one', 'one']);
    await Promise.all(calls);
  });

  test('of which one has no turn for long are told to come again', async () => {
    const began = performance.now();
    const now = jest.spyOn(performance, 'now').mockReturnValue(began);
    const move = () => {
      now.mockReturnValue(began + 60_000);
      return Promise.reject(new NotItsTurn());
    };
    const clock = new AdvanceClock(
      new LongTurns(NO_LINE),
      { run: move } as unknown as MoveTimes,
      {} as SelfReleaseJobs,
    );
    const passing = clock.run({ id: 'one', testMode: true } as Client, 1);
    await expect(passing).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    now.mockRestore();
  });

  test('of one client that wait for another one of it are told to come again as well', async () => {
    jest.useFakeTimers();
    const { underWay, pass } = held();
    const first = pass('one');
    const codes: string[] = [];
    const others = ['one', 'one', 'one'].map((id) => pass(id).catch(({ code }: { code: string }) => codes.push(code)));
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();
    expect(codes).toEqual(others.map(() => 'service_unavailable'));
    underWay[0]?.letGo();
    await Promise.all([first, ...others]);
    expect(underWay).toHaveLength(1);
  });

  test('say what was moved, also if nothing could be released right away', async () => {
    const failing = { ofEarlierDays: () => Promise.reject(new Error('away')) } as unknown as SelfReleaseJobs;
    const clock = new AdvanceClock(new LongTurns(NO_LINE), { run: async () => NONE } as unknown as MoveTimes, failing);
    expect(await clock.run({ id: 'one', testMode: true } as Client, 1)).toEqual({ ...NONE, released: 0 });
  });
});
