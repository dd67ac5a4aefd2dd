/**
 * A database is put back that is older than a payee. Their client makes them again, and asks for the same payout: its code is derived from
 * what the client sends, so that its rail knows it, and our id of the payee is another one.
 */
import { randomUUID } from 'node:crypto';
import type { RailOrder } from '#libs/rail-kit';
import { SwapBench } from './swap-rail.bench.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('swap_rail, of a payee who was made again after a restore', () => {
  let bench: SwapBench;
  let again: RailOrder;

  beforeEach(async () => {
    bench = await SwapBench.open();
    const before = await bench.waiting();
    bench.forgetsAll();
    again = { ...before, payoutId: randomUUID(), payee: { ...before.payee, id: randomUUID() } };
  });
  afterEach(() => bench.world.close?.());

  it('does not call never seen what lies in a wallet', async () => {
    expect((await bench.anotherProcess().lookup(again, AT_REST)).kind).not.toBe('never_seen');
  });

  it('sends it no second time once Circle has forgotten the key', async () => {
    const { stored } = bench.world.circle.state;
    for (const key of Object.keys(stored)) delete stored[key];
    expect(await bench.anotherProcess().submit(again)).toMatchObject({ kind: 'awaiting_payee' });
    expect(bench.legs(again)).toEqual(['COMPLETE']);
  });
});
