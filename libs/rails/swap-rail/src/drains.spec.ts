/** The second leg: to where the payee said, once, out of a wallet that several payouts of theirs may share. */
import { randomUUID } from 'node:crypto';
import type { LookupAnswer, Rail, RailLeg, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { SandboxRequest } from '#libs/provider-sandbox';
import { swapRail } from './swap-rail';
import type { SwapRail } from './swap-rail.rail';
import { ADDRESSES, circleWorld, DRAIN, LISTS, turnedAway } from './swap-rail.world.fake';

const HOME = ADDRESSES[1];
const ELSEWHERE = `0x${'ef'.repeat(20)}`;
const VALIDATE = { method: 'POST', path: '/v1/w3s/transactions/validateAddress' };

describe('a drain of swap_rail', () => {
  let clock: FixedClock;
  let world: Awaited<ReturnType<typeof circleWorld>>;
  let store: ReturnType<ReturnType<typeof memoryRailStores>>;
  let rail: SwapRail;
  let asked: RailOrder;
  const calls: SandboxRequest[] = [];

  beforeEach(async () => {
    calls.length = 0;
    clock = new FixedClock();
    store = memoryRailStores(clock)('swap_rail');
    world = await circleWorld(clock, (request) => void calls.push(request));
    rail = anotherProcess();
    asked = order();
    await rail.submit(asked);
  });
  afterEach(() => world.close?.());

  function anotherProcess(): SwapRail {
    return swapRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: world.settings,
    }) as Rail as SwapRail;
  }
  const forgetsAll = (): void => void (store = memoryRailStores(clock)('swap_rail'));
  const order = (changes: Partial<RailOrder> = {}): RailOrder =>
    testOrder(swapRail.traits, { amountCents: 1_005, ...changes });
  const call = (destination = HOME): RailLeg => ({
    ...{ name: 'drain', key: randomUUID(), firstSentAt: clock.now(), destination },
  });
  const drains = ({ railKey }: RailOrder): string[] =>
    world.circle.transactionsOf(railKey, 'drain').map(({ to, state }) => `${state} ${to}`);
  const refused = (fact: LookupAnswer | SubmitAnswer): unknown =>
    fact.kind === 'awaiting_payee' ? fact.begins?.refused?.key : fact.kind;

  it('brings what the first leg brought to the address, and is paid when Circle says that it is there', async () => {
    const leg = call();
    world.circle.destines(leg.key, { ends: null, error: null });
    expect(await rail.advance(asked, leg)).toMatchObject({ kind: 'claimed' });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'claimed' });
    world.circle.destines(leg.key, null);
    const settled = { kind: 'settled', settledAt: clock.now(), fee: { amountCents: 5 } };
    expect(await anotherProcess().lookup(asked)).toMatchObject(settled);
    expect(drains(asked)).toEqual([`COMPLETE ${HOME}`]);
    expect(JSON.parse(calls.findLast(({ body }) => body.includes('"drain/'))?.body ?? '')).toMatchObject({
      ...{ amounts: ['10.050000'], refId: `drain/${asked.railKey}/1/${leg.key}`, destinationAddress: HOME },
    });
  });

  it.each([
    ['FAILED', 'It could not be sent there'],
    ['DENIED', 'was not let through'],
    ['CANCELLED', 'It could not be sent there'],
  ] as const)(
    'that is %s after it was sent lies in the wallet, and goes elsewhere under another key',
    async (ends, reason) => {
      const [first, second] = [call(), call(ELSEWHERE)];
      world.circle.destines(first.key, { ends, error: 'FAILED_ON_CHAIN' });
      for (const fact of [await rail.advance(asked, first), await anotherProcess().lookup(asked)])
        expect(fact).toMatchObject({
          kind: 'awaiting_payee',
          begins: { leg: 'drain', refused: { key: first.key, reason: expect.stringContaining(reason) as string } },
        });
      expect(await rail.advance(asked, second)).toMatchObject({ kind: 'settled' });
      // Late, by a process that slept: it is over.
      expect(await anotherProcess().advance(asked, first)).toMatchObject({ kind: 'settled' });
      expect(drains(asked)).toEqual([`${ends} ${HOME}`, `COMPLETE ${ELSEWHERE}`]);
    },
  );

  it('names the call that was refused last, and no earlier one while the next is under way', async () => {
    const [first, second, third] = [call(), call(ELSEWHERE), call()];
    world.circle.faults.ask(turnedAway(DRAIN, 400, 155219));
    expect(refused(await rail.advance(asked, first))).toBe(first.key);
    world.circle.destines(second.key, { ends: 'DENIED', error: null });
    expect(refused(await rail.advance(asked, second))).toBe(second.key);
    world.circle.faults.ask({ effect: 'cut_before', match: DRAIN });
    expect((await rail.advance(asked, third)).kind).toBe('unknown');
    expect(refused(await rail.lookup(asked))).toBeUndefined();
    expect(await rail.advance(asked, third)).toMatchObject({ kind: 'settled' });
  });

  it('is found by its key though our own records are lost', async () => {
    const [first, second] = [call(), call(ELSEWHERE)];
    world.circle.destines(first.key, { ends: 'FAILED', error: 'INTERNAL_ERROR' });
    await rail.advance(asked, first);
    forgetsAll();
    const restored = anotherProcess();
    expect(refused(await restored.lookup(asked))).toBe(first.key);
    await restored.advance(asked, second);
    forgetsAll();
    expect(await anotherProcess().advance(asked, second)).toMatchObject({ kind: 'settled' });
    expect(await anotherProcess().advance(asked, call())).toMatchObject({ kind: 'settled' });
    expect(drains(asked)).toHaveLength(2);
  });

  it('is not made twice while Circle does not list it yet, nor to another address', async () => {
    const leg = call();
    await rail.advance(asked, leg);
    const [drain] = world.circle.transactionsOf(asked.railKey, 'drain');
    const { transactions } = world.circle.state;
    transactions.splice(
      transactions.findIndex(({ id }) => id === drain?.id),
      1,
    );
    expect(await rail.advance(asked, { ...leg, destination: ELSEWHERE })).toMatchObject({ kind: 'unknown' });
    // Circle answers the key as before, and has nothing to show for it.
    expect(await anotherProcess().advance(asked, leg)).toMatchObject({ kind: 'unknown' });
    expect(drains(asked)).toEqual([]);
    transactions.push(drain as NonNullable<typeof drain>);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
  });

  it('goes out once though two processes make it at once, again and again', async () => {
    const leg = call();
    world.circle.faults.ask({ effect: 'cut_after', match: DRAIN });
    await Promise.all([rail.advance(asked, leg), anotherProcess().advance(asked, leg), rail.advance(asked, leg)]);
    await rail.advance(asked, leg);
    expect(drains(asked)).toEqual([`COMPLETE ${HOME}`]);
  });

  it('is not made by a process that slept once it was refused', async () => {
    const leg = call();
    let wakes = (): void => undefined;
    const woken = new Promise<void>((resolve) => (wakes = resolve));
    const awake = store;
    const update: typeof store.update = async (key, change) => (await woken, awake.update(key, change));
    store = { ...awake, update, read: (key) => awake.read(key), claim: (key, value) => awake.claim(key, value) };
    const sleeper = anotherProcess();
    store = awake;
    const late = sleeper.advance(asked, leg);
    world.circle.faults.ask(turnedAway(DRAIN, 400, 155219));
    expect(refused(await rail.advance(asked, leg))).toBe(leg.key);
    wakes();
    expect((await late).kind).not.toBe('settled');
    expect(drains(asked)).toEqual([]);
    expect(await rail.advance(asked, call(ELSEWHERE))).toMatchObject({ kind: 'settled' });
  });

  it('is not called refused while an answer to it is missing', async () => {
    const leg = call();
    world.circle.faults.ask({ effect: 'cut_before', match: DRAIN });
    await rail.advance(asked, leg);
    world.circle.faults.ask({ ...turnedAway(DRAIN, 400, 155219), times: 3 });
    expect((await rail.advance(asked, leg)).kind).toBe('unknown');
    clock.advance(400);
    expect((await rail.advance(asked, leg)).kind).toBe('unknown');
    clock.advance(400);
    expect(refused(await rail.advance(asked, leg))).toBe(leg.key);
    expect(drains(asked)).toEqual([]);
  });

  it.each([155258, 155204, 155264, 177303])(
    'that cannot be made now (%i) is asked for again, and of its payee nothing',
    async (code) => {
      const leg = call();
      world.circle.faults.ask(turnedAway(DRAIN, 400, code));
      const fact = await rail.advance(asked, leg);
      expect([fact.kind, refused(fact)]).toEqual(['awaiting_payee', undefined]);
      expect(await rail.advance(asked, leg)).toMatchObject({ kind: 'settled' });
    },
  );

  it('from a wallet that is frozen is not made, and asked for again', async () => {
    const [first, second] = [call(), call(ELSEWHERE)];
    const [wallet] = world.circle.walletsOf(asked.payee.id);
    world.circle.deeds.freeze?.({ wallet: wallet?.id });
    expect(refused(await rail.advance(asked, first))).toBe(first.key);
    world.circle.deeds.thaw?.({ wallet: wallet?.id });
    expect(refused(await anotherProcess().advance(asked, first))).toBe(first.key);
    expect(await rail.advance(asked, second)).toMatchObject({ kind: 'settled' });
    expect(drains(asked)).toEqual([`COMPLETE ${ELSEWHERE}`]);
  });

  it('that meets credentials which count no more is not made, and is no refusal', async () => {
    const leg = call();
    world.circle.faults.ask(turnedAway(DRAIN, 401, 401));
    expect(await rail.advance(asked, leg)).toMatchObject({ kind: 'refused', failure: 'credentials' });
    expect(refused(await rail.lookup(asked))).toBeUndefined();
    expect(await rail.advance(asked, leg)).toMatchObject({ kind: 'settled' });
  });

  describe('of two payouts in one wallet', () => {
    let other: RailOrder;

    beforeEach(async () => {
      other = order({ payee: asked.payee, amountCents: 2_000 });
      await rail.submit(other);
    });

    it('is of the one that it was begun for, and leaves the other', async () => {
      expect(world.circle.walletsOf(asked.payee.id)).toHaveLength(1);
      expect(await rail.advance(other, call())).toMatchObject({ kind: 'settled', echo: { amountCents: 2_000 } });
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
      expect(await rail.advance(asked, call(ELSEWHERE))).toMatchObject({ kind: 'settled' });
      expect([drains(asked), drains(other)]).toEqual([[`COMPLETE ${ELSEWHERE}`], [`COMPLETE ${HOME}`]]);
    });

    it('does not take the money of the other when its own was taken back', async () => {
      const [leg] = world.circle.transactionsOf(asked.railKey, 'pay');
      world.circle.takesBack(leg as NonNullable<typeof leg>);
      expect(await rail.advance(asked, call())).toMatchObject({ kind: 'refused', failure: 'expired' });
      forgetsAll();
      expect(await anotherProcess().lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
      expect(drains(asked)).toEqual([]);
      expect(await anotherProcess().advance(other, call())).toMatchObject({ kind: 'settled' });
    });
  });

  describe('after the money was taken back at Circle', () => {
    const takeBack = (): void => {
      const [leg] = world.circle.transactionsOf(asked.railKey, 'pay');
      world.circle.takesBack(leg as NonNullable<typeof leg>);
    };

    it('is not told to be over while a drain may be under way', async () => {
      world.circle.faults.ask({ effect: 'cut_before', match: DRAIN });
      await rail.advance(asked, call());
      takeBack();
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
      clock.advance(601);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
    });

    it('is paid by a first leg of its own when it is tried again', async () => {
      takeBack();
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'awaiting_payee' });
      expect(await rail.advance(asked, call())).toMatchObject({ kind: 'settled' });
      expect(drains(asked)).toEqual([`COMPLETE ${HOME}`]);
      expect(await world.out?.(asked.railKey)).toBe(1_005);
    });

    it.each([
      ['some of it', { units: 1 }],
      ['not to the treasury', { to: ELSEWHERE }],
      ['not there yet', { state: 'SENT' }],
    ])('is in doubt if that is %s', async (_, changes) => {
      takeBack();
      const [back] = world.circle.transactionsOf(asked.railKey, 'back');
      world.circle.destines(back?.refId ?? '', { ends: null, error: null });
      Object.assign(back ?? {}, changes);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
      expect(await rail.advance(asked, call())).toMatchObject({ kind: 'unknown' });
      expect(drains(asked)).toEqual([]);
    });
  });

  it('is in doubt when Circle shows one of another amount, or two', async () => {
    await rail.advance(asked, call());
    const [drain] = world.circle.transactionsOf(asked.railKey, 'drain');
    const made = drain as NonNullable<typeof drain>;
    made.units -= 10_000;
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    made.units += 10_000;
    world.circle.state.transactions.push({ ...made, id: 'another' });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  describe('to an address', () => {
    const check = async (entered: string): Promise<unknown> => {
      const answer = await rail.checkDestination(asked, entered);
      return answer.kind === 'taken' ? answer.destination : answer.kind;
    };

    it.each(['', ' ', 'nowhere', `0x${'0'.repeat(40)}`, `${HOME}0`, `${HOME} ${HOME}`, '"><script>', 'x'.repeat(200)])(
      'is not begun with %p',
      async (entered) => {
        expect(await check(entered)).toBe('refused');
      },
    );

    it('is not begun with the wallet that it lies in, or the treasury, however they are written', async () => {
      const [wallet] = world.circle.walletsOf(asked.payee.id);
      for (const address of [wallet?.address ?? '', world.circle.treasury.address])
        for (const entered of [address, `0x${address.slice(2).toUpperCase()}`])
          expect(await check(entered)).toBe('refused');
    });

    it('is begun with one form of it', async () => {
      expect(await check(` ${ADDRESSES[0]}\n`)).toBe(ADDRESSES[0].toLowerCase());
    });

    it('is not judged while Circle cannot be asked', async () => {
      world.circle.faults.ask({ effect: 'server_error', match: VALIDATE });
      expect(await check(HOME)).toBe('unknown');
      world.circle.faults.ask({ effect: 'too_many', match: VALIDATE });
      expect(await check(HOME)).toBe('not_now');
    });
  });
});
