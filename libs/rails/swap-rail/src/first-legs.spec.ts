/** The first leg: once, whatever is lost or forgotten, and refused only when nothing of it is out. */
import type { RailOrder } from '#libs/rail-kit';
import { transactionBody } from '../testing/src/circle-words';
import { SwapBench } from './swap-rail.bench.fake';
import { LISTS, TRANSFER } from './swap-rail.world.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
const ELSEWHERE = { ...AT_REST, movesNothing: 'sent_elsewhere' } as const;
const WAITS = { kind: 'awaiting_payee', begins: { leg: 'drain' } };

describe('a first leg of swap_rail', () => {
  let bench: SwapBench;
  beforeEach(async () => void (bench = await SwapBench.open()));
  afterEach(() => bench.world.close?.());

  it('is not made once more though our own records are lost, long after', async () => {
    const asked = bench.order();
    const first = await bench.rail.submit(asked);
    bench.clock.advance(90 * 86_400);
    bench.forgetsAll();
    const restored = bench.anotherProcess();
    expect(await restored.lookup(asked)).toEqual(first);
    expect(await restored.submit(asked)).toEqual(first);
    expect(bench.legs(asked)).toEqual(['COMPLETE']);
  });

  it('is not made once more, nor drained from elsewhere, for a payee who was made anew under another name after all was forgotten', async () => {
    const asked = await bench.waiting();
    bench.forgetsAll();
    const { payee, payeeKey } = bench.order();
    const anew = { ...asked, payee: { ...asked.payee, id: payee.id }, payeeKey };
    expect(await bench.anotherProcess().submit(anew)).toMatchObject({ kind: 'unknown' });
    expect(bench.legs(asked)).toEqual(['COMPLETE']);
  });

  it('moves once though two processes send it at the same moment, and Circle does not list it yet', async () => {
    const asked = bench.order();
    const nothing = { status: 200, body: { data: { transactions: [] } } };
    bench.world.circle.faults.ask({ effect: 'answer', match: LISTS, answer: nothing, times: 6 });
    const processes = [bench.rail, bench.anotherProcess(), bench.rail];
    await Promise.all(processes.map((process) => process.submit(asked)));
    bench.world.circle.faults.clear();
    expect(await bench.rail.submit(asked)).toMatchObject(WAITS);
    expect(bench.legs(asked)).toEqual(['COMPLETE']);
  });

  it.each([
    ['INSUFFICIENT_NATIVE_TOKEN', 'funding'],
    ['PAYMASTER_TOTAL_SPEND_DAILY', 'funding'],
    ['FAILED_REORG', 'transient'],
    ['A_WORD_OF_TOMORROW', 'transient'],
  ])(
    'that failed after it was sent, for %s, is refused as %s, and goes out under another key',
    async (error, failure) => {
      const asked = bench.order();
      bench.world.circle.destines(asked.railKey, { ends: 'FAILED', error });
      expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure });
      expect(await bench.anotherProcess().lookup(asked)).toMatchObject({ kind: 'refused', failure });
      bench.world.circle.destines(asked.railKey, null);
      expect(await bench.rail.submit(asked)).toMatchObject(WAITS);
      expect(bench.legs(asked)).toEqual(['FAILED', 'COMPLETE']);
      expect(new Set(bench.sent(TRANSFER).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
      expect(await bench.rail.lookup(asked)).toMatchObject(WAITS);
    },
  );

  it.each(['nothing', 'the first'])('is found by its last try when our own records know of %s', async (known) => {
    const asked = bench.order();
    const record = `pay:${asked.railKey}`;
    bench.world.circle.destines(asked.railKey, { ends: 'FAILED', error: 'INTERNAL_ERROR' });
    await bench.rail.submit(asked);
    const first = await bench.records.read(record);
    bench.world.circle.destines(asked.railKey, null);
    await bench.rail.submit(asked);
    if (known === 'nothing') bench.forgetsAll();
    else await bench.records.update(record, (now) => ({ ...now, ...first, over: false }));
    const restored = bench.anotherProcess();
    expect(await restored.lookup(asked)).toMatchObject(WAITS);
    expect(await restored.submit(asked)).toMatchObject(WAITS);
    expect(bench.legs(asked)).toEqual(['FAILED', 'COMPLETE']);
  });

  it('for which funds are really missing goes out once they are there', async () => {
    const asked = bench.order();
    bench.world.circle.fund(1_004);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    bench.world.circle.fund(1_005);
    expect(await bench.anotherProcess().submit(asked)).toMatchObject(WAITS);
    expect(await bench.rail.funding()).toEqual([{ currency: 'USD', availableCents: 0 }]);
  });

  it('is not called refused while an answer is missing, until that is long ago', async () => {
    const asked = bench.order();
    bench.world.circle.faults.ask({ effect: 'cut_before', match: TRANSFER });
    expect((await bench.rail.submit(asked)).kind).toBe('unknown');
    bench.world.circle.fund(0);
    expect((await bench.rail.submit(asked)).kind).toBe('unknown');
    expect(await bench.rail.lookup(asked)).toEqual({ kind: 'never_seen' });
    expect((await bench.rail.lookup(asked, AT_REST)).kind).toBe('unknown');
    bench.clock.advance(601);
    expect(await bench.rail.lookup(asked, AT_REST)).toEqual({ kind: 'never_seen' });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
  });

  it('is not called refused for the try before it while its own answer is missing', async () => {
    const asked = bench.order();
    bench.world.circle.destines(asked.railKey, { ends: 'FAILED', error: 'INTERNAL_ERROR' });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'transient' });
    bench.world.circle.faults.ask({ effect: 'cut_before', match: TRANSFER });
    expect((await bench.rail.submit(asked)).kind).toBe('unknown');
    expect(await bench.rail.lookup(asked)).toEqual({ kind: 'never_seen' });
    expect((await bench.rail.lookup(asked, AT_REST)).kind).toBe('unknown');
    bench.clock.advance(601);
    expect(await bench.rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'refused', failure: 'transient' });
    expect(bench.legs(asked)).toEqual(['FAILED']);
  });

  it('is sent by no question, and another treasury knows nothing of it', async () => {
    const asked = bench.order();
    bench.world.circle.faults.ask({ effect: 'cut_before', match: TRANSFER });
    await bench.rail.submit(asked);
    for (const call of [undefined, AT_REST, ELSEWHERE]) await bench.rail.lookup(asked, call);
    expect(bench.legs(asked)).toEqual([]);
    await bench.rail.submit(asked);
    const { id } = bench.world.circle.books.open({ ...bench.world.circle.treasury, refId: 'another treasury' });
    const other = bench.anotherProcess({ SWAP_RAIL_TREASURY_WALLET_ID: id });
    // The same entity shows what it has to whoever knows its id; one that does not, nothing.
    expect(await other.lookup(asked, ELSEWHERE)).toMatchObject({ kind: 'awaiting_payee' });
    bench.forgetsAll();
    const stranger = bench.anotherProcess({ SWAP_RAIL_TREASURY_WALLET_ID: id });
    expect(await stranger.lookup(asked, ELSEWHERE)).toEqual({ kind: 'never_seen' });
    expect(await bench.rail.verify()).not.toEqual(await other.verify());
    expect(bench.legs(asked)).toEqual(['COMPLETE']);
  });

  it.each(['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'STUCK', 'CONFIRMED'])(
    'that is %s is waited for',
    async (state) => {
      const asked = bench.order();
      bench.world.circle.destines(asked.railKey, { ends: null, error: null });
      await bench.rail.submit(asked);
      shows(asked, { state });
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'accepted' });
    },
  );

  it.each([
    ['in a word that stands in no table', { state: 'RESTING' }],
    ['in an older word of Circle', { state: 'PENDING_RISK_SCREENING' }],
    ['without an amount', { amounts: [] }],
    ['in parts of a cent', { amounts: ['10.055'] }],
    ['of another token', { tokenId: 'c0ffee00-0000-4000-8000-000000000000' }],
    ['under the reference of something else', { refId: 'rent' }],
    ['to an address that is none of ours', { destinationAddress: `0x${'9'.repeat(40)}` }],
  ])('that Circle shows %s is unknown', async (_, changes) => {
    const asked = await bench.waiting();
    shows(asked, changes);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(await bench.rail.lookup(asked)).toMatchObject(WAITS);
  });

  it('is unknown when Circle shows two of them', async () => {
    const asked = await bench.waiting();
    const [leg] = bench.world.circle.transactionsOf(asked.railKey, 'pay');
    bench.world.circle.state.transactions.push({ ...(leg as NonNullable<typeof leg>), id: 'another' });
    bench.forgetsAll();
    const restored = bench.anotherProcess();
    expect(await restored.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(await restored.submit(asked)).toMatchObject({ kind: 'unknown' });
  });

  /** The next time it is asked for, it looks so. */
  function shows({ railKey }: RailOrder, changes: object): void {
    const [leg] = bench.world.circle.transactionsOf(railKey, 'pay');
    const transaction = { ...transactionBody(leg as NonNullable<typeof leg>), ...changes };
    const answer = { status: 200, body: { data: { transaction } } };
    bench.world.circle.faults.ask({ effect: 'answer', match: { ...LISTS, contains: leg?.id }, answer });
  }
});
