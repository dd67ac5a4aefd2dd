import { systemClock } from '#libs/domain';
import type { LookupFact, Rail, RailCall, RailMovement, RailOrder, SubmitFact, Verification } from '#libs/rail-kit';
import { setLogLevel } from '#libs/telemetry';
import { loneRail, ORDER as order, type Surroundings } from '../testing/lone-rail';
import type { RailCaller } from './rail-caller';

describe('calling a rail', () => {
  beforeAll(() => setLogLevel('silent'));
  afterEach(() => jest.useRealTimers());

  const callerOf = (rail: Partial<Rail>, db: Surroundings['db'] = {}): RailCaller => loneRail(rail, { db }).calls;
  const inTurn = (afterMs: number) => {
    const takenAt = systemClock.now().getTime();
    return { takenAt, beginBefore: takenAt + afterMs };
  };
  const soon = () => inTurn(60_000);
  const settledOver = (amountCents: number, currency = 'USD'): SubmitFact => ({
    kind: 'settled',
    providerRef: 'r',
    settledAt: null,
    echo: { amountCents, currency },
  });

  test('an answer that does not come in time is unknown, and the call is aborted', async () => {
    jest.useFakeTimers();
    let signal: AbortSignal | undefined;
    const caller = callerOf({
      submit: (_, call) => {
        signal = call?.signal;
        return new Promise(() => undefined);
      },
    });
    const fact = caller.submit('toy', order, soon());
    await jest.advanceTimersByTimeAsync(19_000);
    expect(signal?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await fact).toMatchObject({ kind: 'unknown', detail: 'no answer within 20000 ms' });
    expect(signal?.aborted).toBe(true);
  });

  test('whoever comes to the call too late does not make it', async () => {
    const submit = jest.fn();
    const fact = await callerOf({ submit }).submit('toy', order, inTurn(-1));
    expect(fact).toEqual({ kind: 'not_sent' });
    expect(submit).not.toHaveBeenCalled();
  });

  /** The last look before it is made takes time as well, and its process may stand still in the middle of that (points 1 and 3). */
  test('nor does whoever stood still while it was looked at once more, and came to it too late by that', async () => {
    jest.useFakeTimers();
    const submit = jest.fn(async () => settledOver(1_000));
    const takenAt = systemClock.now().getTime() - 2_000; // it waited for its turn
    const isStopped = async (): Promise<boolean> => {
      jest.setSystemTime(systemClock.now().getTime() + 8_000);
      return false; // its payee was blocked since, and another process has the lease
    };
    const turn = { takenAt, beginBefore: takenAt + 4_000, isStopped };
    expect(await callerOf({ submit }).submit('toy', order, turn)).toEqual({ kind: 'not_sent' });
    expect(submit).not.toHaveBeenCalled();
    const ofARequest = jest.fn(async (_: RailOrder, __?: RailCall) => settledOver(1_000));
    const now = systemClock.now().getTime();
    const patient = { ...turn, takenAt: now - 2_000, beginBefore: now + 15_000 };
    await callerOf({ submit: ofARequest }).submit('toy', order, patient);
    expect(ofARequest.mock.lastCall?.[1]?.signal.aborted).toBe(true);
  });

  test('a later call of a payout sends nothing more either once its process stood still for longer than a lease', async () => {
    jest.useFakeTimers();
    let mayGoOn: boolean | undefined;
    const advance = async (_: RailOrder, __: unknown, call?: RailCall): Promise<SubmitFact> => {
      jest.setSystemTime(systemClock.now().getTime() + 8_000); // its provider was asked before it is told
      mayGoOn = call?.signal.aborted === false;
      return settledOver(1_000);
    };
    const leg = { name: 'drain', key: 'k', firstSentAt: systemClock.now() };
    await callerOf({ advance } as Partial<Rail>).advance('toy', order, leg, { ...soon(), takenAt: 0 });
    expect(mayGoOn).toBe(false);
  });

  test.each([
    ['another amount', settledOver(1_001)],
    ['another currency', settledOver(1_000, 'EUR')],
  ])('an answer about %s is unknown', async (_, answer) => {
    const caller = callerOf({ submit: async () => answer, lookup: async () => answer as LookupFact });
    expect((await caller.submit('toy', order, soon())).kind).toBe('unknown');
    expect((await caller.lookup('toy', order)).kind).toBe('unknown');
  });

  test.each([-1_000, 12.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'a bank that kept %s cents is unknown',
    async (feeCents) => {
      const caller = callerOf({ lookup: async () => ({ kind: 'bounced', feeCents }) });
      expect(await caller.lookup('toy', order)).toMatchObject({
        kind: 'unknown',
        detail: expect.stringContaining('kept'),
      });
      const free = callerOf({ lookup: async () => ({ kind: 'bounced', feeCents: 0 }) });
      expect(await free.lookup('toy', order)).toEqual({ kind: 'bounced', feeCents: 0 });
    },
  );

  const movement = {
    ...{ railKey: 'gw1', providerRef: 'r', amountCents: 1_000, currency: 'USD' },
    movedAt: systemClock.now(),
  };

  test.each([
    ['of no amount', { amountCents: Number.NaN }],
    ['of less than nothing', { amountCents: -1 }],
    ['at no time', { movedAt: new Date('soon') }],
  ])('a list with a movement %s is none', async (_, wrong) => {
    const lists = (more: object) =>
      callerOf({ movements: async () => [movement, { ...movement, ...more }] } as Partial<Rail>);
    expect(await lists(wrong).movements('toy', movement.movedAt)).toBeNull();
    expect(await lists({}).movements('toy', movement.movedAt)).toHaveLength(2);
  });

  async function* pages(...all: (object[] | Error)[]): AsyncGenerator<RailMovement[]> {
    for (const page of all) {
      if (page instanceof Error) throw page;
      yield page.map((more) => ({ ...movement, ...more }));
    }
  }
  const listing = (movements: () => AsyncGenerator<RailMovement[]>): Promise<RailMovement[] | null> =>
    callerOf({ movements } as Partial<Rail>).movements('toy', movement.movedAt);

  test('a list is read page by page, to its end or not at all', async () => {
    const whole = await listing(() => pages([{ railKey: 'a' }, { railKey: 'b' }], [], [{ railKey: 'c' }]));
    expect(whole?.map(({ railKey }) => railKey)).toEqual(['a', 'b', 'c']);
    expect(await listing(() => pages([{ railKey: 'a' }], new Error('socket hang up'), []))).toBeNull();
    expect(await listing(() => pages([{ railKey: 'a' }], [{ amountCents: -1 }]))).toBeNull();
  });

  test('each page has its own deadline, and a list that is given up is aborted', async () => {
    jest.useFakeTimers();
    const late = (ms: number) => new Promise((goOn) => setTimeout(goOn, ms));
    let signal: AbortSignal | undefined;
    const movements = async function* (_: Date, __?: Date, call?: RailCall): AsyncGenerator<RailMovement[]> {
      signal = call?.signal;
      for (const ms of [15_000, 15_000, 25_000]) {
        await late(ms);
        yield [movement];
      }
    };
    const read = callerOf({ movements } as Partial<Rail>).movements('toy', movement.movedAt);
    await jest.advanceTimersByTimeAsync(49_000);
    expect(signal?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await read).toBeNull();
    expect(signal?.aborted).toBe(true);
  });

  test('a list that does not end is given up', async () => {
    let given = 0;
    const endless = async function* (): AsyncGenerator<RailMovement[]> {
      for (; ; given += 1) yield [];
    };
    expect(await listing(endless)).toBeNull();
    expect(given).toBeLessThan(10_000);
  });

  test('an answer about this money is taken as it is', async () => {
    const caller = callerOf({ submit: async () => settledOver(1_000) });
    expect(await caller.submit('toy', order, soon())).toEqual(settledOver(1_000));
  });

  test('what is thrown is unknown, and what is not configured too', async () => {
    const caller = callerOf({ submit: () => Promise.reject(new Error('socket hang up')) });
    expect(await caller.submit('toy', order, soon())).toEqual({ kind: 'unknown', detail: 'socket hang up' });
    expect((await caller.submit('nobody', order, soon())).kind).toBe('unknown');
  });

  describe('that is to be left alone', () => {
    const busy = { kind: 'not_now', afterSeconds: 7, detail: 'too many calls' } as const;

    test('is not called, for as long as it says: nothing is sent, and nothing is known', async () => {
      jest.useFakeTimers();
      const submit = jest.fn(async () => busy);
      const lookup = jest.fn(async (): Promise<LookupFact> => ({ kind: 'never_seen' }));
      const caller = callerOf({ submit, lookup });
      expect(await caller.submit('toy', order, soon())).toEqual({ kind: 'not_sent' });
      expect(await caller.submit('toy', order, soon())).toEqual({ kind: 'not_sent' });
      expect(await caller.lookup('toy', order)).toMatchObject({ kind: 'unknown' });
      expect([submit.mock.calls.length, lookup.mock.calls.length]).toEqual([1, 0]);
      await jest.advanceTimersByTimeAsync(7_001);
      expect(await caller.lookup('toy', order)).toEqual({ kind: 'never_seen' });
    });

    test('is called with money on, if what heard that was a question of a caller', async () => {
      const lookup = jest.fn(async () => busy);
      const caller = callerOf({ lookup, submit: async () => settledOver(1_000) });
      for (let times = 0; times < 2; times += 1)
        expect(await caller.lookup('toy', order, { byCaller: true })).toMatchObject({ kind: 'unknown' });
      expect(lookup).toHaveBeenCalledTimes(1);
      expect(await caller.submit('toy', order, soon())).toEqual(settledOver(1_000));
    });

    test.each([
      [Number.NaN, 30],
      [-5, 1],
      [1e9, 3_600],
    ])('asks for %s seconds, and gets %s', async (afterSeconds, seconds) => {
      const paused: unknown[] = [];
      const execute = async (_: string, values: unknown[]): Promise<number> => paused.push(values[1]);
      await callerOf({ lookup: async () => ({ ...busy, afterSeconds }) }, { execute }).lookup('toy', order);
      expect(paused).toEqual([seconds]);
    });
  });

  test('a rail whose credentials nobody can verify now is asked nothing, and sent nothing', async () => {
    const submit = jest.fn();
    const lookup = jest.fn();
    const verify = async (): Promise<Verification> => ({ kind: 'unknown', detail: 'away' });
    const caller = callerOf({ submit, lookup, verify } as Partial<Rail>);
    expect(await caller.submit('toy', order, soon())).toEqual({ kind: 'not_sent' });
    expect(await caller.lookup('toy', order)).toMatchObject({ kind: 'unknown' });
    expect([...submit.mock.calls, ...lookup.mock.calls]).toEqual([]);
  });

  test('whether a look-up may move anything is asked once its turn was waited for, right before the rail is', async () => {
    const made: string[] = [];
    const movesNothing = async () => {
      made.push('may it move anything');
      return 'at_rest' as const;
    };
    const lookup = async (_: RailOrder, call?: RailCall): Promise<LookupFact> => {
      made.push(`look-up, ${call?.movesNothing}`);
      return { kind: 'never_seen' };
    };
    const verify = async (): Promise<Verification> => {
      made.push('verify');
      return { kind: 'unknown', detail: 'away' };
    };
    await callerOf({ lookup, verify } as Partial<Rail>).lookup('toy', order, { movesNothing });
    await callerOf({ lookup }).lookup('toy', order, { movesNothing });
    expect(made).toEqual(['verify', 'may it move anything', 'look-up, at_rest']);
  });

  test('calls that come together ask once whose credentials a rail has', async () => {
    const lookup = jest.fn();
    const verify = jest.fn(async (): Promise<Verification> => ({ kind: 'unknown', detail: 'away' }));
    const caller = callerOf({ lookup, verify } as Partial<Rail>);
    await Promise.all(Array.from({ length: 5 }, () => caller.lookup('toy', order)));
    expect(verify).toHaveBeenCalledTimes(1);
    await caller.lookup('toy', order);
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test('no rail is called while a transaction is open', async () => {
    const inTransaction = {
      assertNoTransaction: () => {
        throw new Error('must not run inside a database transaction');
      },
    };
    const submit = jest.fn();
    await expect(callerOf({ submit }, inTransaction).submit('toy', order, soon())).rejects.toThrow('must not run');
    expect(submit).not.toHaveBeenCalled();
  });
});
