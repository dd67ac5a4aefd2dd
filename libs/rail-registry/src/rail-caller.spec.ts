import { systemClock } from '#libs/domain';
import { DatabaseClock, type Db } from '#libs/db';
import type { LookupFact, Rail, RailOrder, SubmitFact } from '#libs/rail-kit';
import { setLogLevel } from '#libs/telemetry';
import { RailCaller } from './rail-caller';
import { Rails } from './rails';

const order: RailOrder = {
  railKey: 'gw1',
  payoutId: 'p',
  amountCents: 1_000,
  currency: 'USD',
  payee: { id: 'x', externalId: 'x', email: null, name: null, country: null },
  accountId: null,
  reason: null,
};

describe('calling a rail', () => {
  beforeAll(() => setLogLevel('silent'));
  afterEach(() => jest.useRealTimers());

  const noTransaction = { assertNoTransaction: () => undefined } as unknown as Db;
  const callerOf = (rail: Partial<Rail>, db: Db = noTransaction): RailCaller => {
    const definition = { name: 'toy', traits: {}, settings: [], create: () => rail };
    const registered = { definition, rail, missingSettings: [] } as unknown as ConstructorParameters<
      typeof Rails
    >[0][0];
    return new RailCaller(new Rails([registered]), db, new DatabaseClock());
  };
  const soon = (): number => systemClock.now().getTime() + 60_000;
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
    const fact = await callerOf({ submit }).submit('toy', order, systemClock.now().getTime() - 1);
    expect(fact).toEqual({ kind: 'not_sent' });
    expect(submit).not.toHaveBeenCalled();
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

  test('an answer about this money is taken as it is', async () => {
    const caller = callerOf({ submit: async () => settledOver(1_000) });
    expect(await caller.submit('toy', order, soon())).toEqual(settledOver(1_000));
  });

  test('what is thrown is unknown, and what is not configured too', async () => {
    const caller = callerOf({ submit: () => Promise.reject(new Error('socket hang up')) });
    expect(await caller.submit('toy', order, soon())).toEqual({ kind: 'unknown', detail: 'socket hang up' });
    expect((await caller.submit('nobody', order, soon())).kind).toBe('unknown');
  });

  test('no rail is called while a transaction is open', async () => {
    const inTransaction = {
      assertNoTransaction: () => {
        throw new Error('must not run inside a database transaction');
      },
    } as unknown as Db;
    const submit = jest.fn();
    await expect(callerOf({ submit }, inTransaction).submit('toy', order, soon())).rejects.toThrow('must not run');
    expect(submit).not.toHaveBeenCalled();
  });
});
