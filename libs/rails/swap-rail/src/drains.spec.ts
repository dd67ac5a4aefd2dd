/** The second leg: to where the payee said, once, whatever is lost on the way. */
import type { RailOrder } from '#libs/rail-kit';
import { SwapBench, ELSEWHERE, HOME, refusedIn } from './swap-rail.bench.fake';
import { DRAIN, turnedAway } from './swap-rail.world.fake';

describe('a drain of swap_rail', () => {
  let bench: SwapBench;
  let asked: RailOrder;

  beforeEach(async () => {
    bench = await SwapBench.open();
    asked = await bench.waiting();
  });
  afterEach(() => bench.world.close?.());

  it('brings what the first leg brought to the address, and is paid when Circle says that it is there', async () => {
    const { world, rail } = bench;
    const leg = bench.call();
    world.circle.destines(leg.key, { ends: null, error: null });
    expect(await rail.advance(asked, leg)).toMatchObject({ kind: 'claimed' });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'claimed' });
    world.circle.destines(leg.key, null);
    const settled = { kind: 'settled', settledAt: bench.clock.now(), fee: { amountCents: 5 } };
    expect(await bench.anotherProcess().lookup(asked)).toMatchObject(settled);
    expect(bench.drains(asked)).toEqual([`COMPLETE ${HOME}`]);
    expect(JSON.parse(bench.calls.findLast(({ body }) => body.includes('"drain/'))?.body ?? '')).toMatchObject({
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
      const [first, second] = [bench.call(), bench.call(ELSEWHERE)];
      bench.world.circle.destines(first.key, { ends, error: 'FAILED_ON_CHAIN' });
      for (const fact of [await bench.rail.advance(asked, first), await bench.anotherProcess().lookup(asked)])
        expect(fact).toMatchObject({
          kind: 'awaiting_payee',
          begins: { leg: 'drain', refused: { key: first.key, reason: expect.stringContaining(reason) as string } },
        });
      expect(await bench.rail.advance(asked, second)).toMatchObject({ kind: 'settled' });
      // Late, by a process that slept: it is over.
      expect(await bench.anotherProcess().advance(asked, first)).toMatchObject({ kind: 'settled' });
      expect(bench.drains(asked)).toEqual([`${ends} ${HOME}`, `COMPLETE ${ELSEWHERE}`]);
    },
  );

  it('that Circle put off goes elsewhere under another key', async () => {
    const [first, second] = [bench.call(), bench.call(ELSEWHERE)];
    bench.world.circle.faults.ask({ effect: 'too_many', match: DRAIN, seconds: 60 });
    expect(await bench.rail.advance(asked, first)).toMatchObject({ kind: 'not_now' });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee', begins: { leg: 'drain' } });
    expect(await bench.rail.advance(asked, second)).toMatchObject({ kind: 'settled' });
    expect(await bench.anotherProcess().advance(asked, first)).toMatchObject({ kind: 'settled' });
    expect(bench.drains(asked)).toEqual([`COMPLETE ${ELSEWHERE}`]);
  });

  it('names the call that was refused last, and no earlier one while the next is under way', async () => {
    const { rail, world } = bench;
    const [first, second, third] = [bench.call(), bench.call(ELSEWHERE), bench.call()];
    world.circle.faults.ask(turnedAway(DRAIN, 400, 155219));
    expect(refusedIn(await rail.advance(asked, first))).toBe(first.key);
    world.circle.destines(second.key, { ends: 'DENIED', error: null });
    expect(refusedIn(await rail.advance(asked, second))).toBe(second.key);
    // Late, by a process that slept: it makes nothing, and does not count as begun again.
    await bench.anotherProcess().advance(asked, first);
    expect(refusedIn(await rail.lookup(asked))).toBe(second.key);
    world.circle.faults.ask({ effect: 'cut_before', match: DRAIN });
    expect((await rail.advance(asked, third)).kind).toBe('unknown');
    await bench.anotherProcess().advance(asked, second);
    expect(refusedIn(await rail.lookup(asked))).toBeUndefined();
    expect(await rail.advance(asked, third)).toMatchObject({ kind: 'settled' });
    expect(bench.drains(asked)).toEqual([`DENIED ${ELSEWHERE}`, `COMPLETE ${HOME}`]);
  });

  it('is found by its key though our own records are lost', async () => {
    const [first, second] = [bench.call(), bench.call(ELSEWHERE)];
    bench.world.circle.destines(first.key, { ends: 'FAILED', error: 'INTERNAL_ERROR' });
    await bench.rail.advance(asked, first);
    bench.forgetsAll();
    const restored = bench.anotherProcess();
    expect(refusedIn(await restored.lookup(asked))).toBe(first.key);
    await restored.advance(asked, second);
    bench.forgetsAll();
    expect(await bench.anotherProcess().advance(asked, second)).toMatchObject({ kind: 'settled' });
    expect(await bench.anotherProcess().advance(asked, bench.call())).toMatchObject({ kind: 'settled' });
    expect(bench.drains(asked)).toHaveLength(2);
  });

  it('is not made twice while Circle does not list it yet, nor to another address', async () => {
    const leg = bench.call();
    await bench.rail.advance(asked, leg);
    const [drain] = bench.world.circle.transactionsOf(asked.railKey, 'drain');
    const { transactions } = bench.world.circle.state;
    transactions.splice(
      transactions.findIndex(({ id }) => id === drain?.id),
      1,
    );
    bench.calls.length = 0;
    expect(await bench.rail.advance(asked, { ...leg, destination: ELSEWHERE })).toMatchObject({ kind: 'unknown' });
    expect(bench.calls.filter(({ body }) => body.includes(ELSEWHERE))).toEqual([]);
    // Circle answers the key as before, and has nothing to show for it.
    expect(await bench.anotherProcess().advance(asked, leg)).toMatchObject({ kind: 'unknown' });
    expect(bench.drains(asked)).toEqual([]);
    transactions.push(drain as NonNullable<typeof drain>);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'settled' });
  });

  it('goes out once though two processes make it at once, again and again', async () => {
    const leg = bench.call();
    bench.world.circle.faults.ask({ effect: 'cut_after', match: DRAIN });
    const processes = [bench.rail, bench.anotherProcess(), bench.rail];
    await Promise.all(processes.map((process) => process.advance(asked, leg)));
    await bench.rail.advance(asked, leg);
    expect(bench.drains(asked)).toEqual([`COMPLETE ${HOME}`]);
  });

  it('is not made by a process that slept once it was refused', async () => {
    const leg = bench.call();
    const { rail: sleeper, wakes } = bench.sleeper('update');
    const late = sleeper.advance(asked, leg);
    bench.world.circle.faults.ask(turnedAway(DRAIN, 400, 155219));
    expect(refusedIn(await bench.rail.advance(asked, leg))).toBe(leg.key);
    wakes();
    expect((await late).kind).not.toBe('settled');
    expect(bench.drains(asked)).toEqual([]);
    expect(await bench.rail.advance(asked, bench.call(ELSEWHERE))).toMatchObject({ kind: 'settled' });
  });

  it('is not called refused while an answer to it is missing, until that is long ago', async () => {
    const leg = bench.call();
    bench.world.circle.faults.ask({ effect: 'cut_before', match: DRAIN });
    await bench.rail.advance(asked, leg);
    bench.world.circle.faults.ask({ ...turnedAway(DRAIN, 400, 155219), times: 3 });
    expect((await bench.rail.advance(asked, leg)).kind).toBe('unknown');
    bench.clock.advance(400);
    expect((await bench.rail.advance(asked, leg)).kind).toBe('unknown');
    bench.clock.advance(400);
    expect(refusedIn(await bench.rail.advance(asked, leg))).toBe(leg.key);
    expect(bench.drains(asked)).toEqual([]);
  });

  it.each([155258, 155204, 155264, 177303])(
    'that cannot be made now (%i) is asked for again, and of its payee nothing',
    async (code) => {
      const leg = bench.call();
      bench.world.circle.faults.ask(turnedAway(DRAIN, 400, code));
      const fact = await bench.rail.advance(asked, leg);
      expect([fact.kind, refusedIn(fact)]).toEqual(['awaiting_payee', undefined]);
      expect(await bench.rail.advance(asked, leg)).toMatchObject({ kind: 'settled' });
    },
  );

  it('from a wallet that is frozen is not made, and asked for again', async () => {
    const [first, second] = [bench.call(), bench.call(ELSEWHERE)];
    const wallet = bench.walletOf(asked);
    wallet.state = 'FROZEN';
    expect(refusedIn(await bench.rail.advance(asked, first))).toBe(first.key);
    wallet.state = 'LIVE';
    expect(refusedIn(await bench.anotherProcess().advance(asked, first))).toBe(first.key);
    expect(await bench.rail.advance(asked, second)).toMatchObject({ kind: 'settled' });
    expect(bench.drains(asked)).toEqual([`COMPLETE ${ELSEWHERE}`]);
  });

  it('that meets credentials which count no more is not made, and is no refusal', async () => {
    const leg = bench.call();
    bench.world.circle.faults.ask(turnedAway(DRAIN, 401, 401));
    expect(await bench.rail.advance(asked, leg)).toMatchObject({ kind: 'refused', failure: 'credentials' });
    expect(refusedIn(await bench.rail.lookup(asked))).toBeUndefined();
    expect(await bench.rail.advance(asked, leg)).toMatchObject({ kind: 'settled' });
  });

  it('is in doubt when Circle shows one of another amount, and told as what both come to when it shows two', async () => {
    await bench.rail.advance(asked, bench.call());
    const { circle } = bench.world;
    const [drain] = circle.transactionsOf(asked.railKey, 'drain');
    const made = drain as NonNullable<typeof drain>;
    made.units -= 10_000;
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    made.units += 10_000;
    circle.state.transactions.push({ ...made, id: 'another' });
    const both = { kind: 'settled', echo: { amountCents: 2 * asked.amountCents } };
    expect(await bench.rail.lookup(asked)).toMatchObject(both);
  });
});
