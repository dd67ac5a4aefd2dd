/** Adyen refused a transfer, and books it an hour later: its list has it where it was made, so a list of the last 20 minutes never has it. */
import type { RailMovement } from '#libs/rail-kit';
import { CENTS, PaymentBench } from './payment-bench.fake';

it('custodial_b lists it an hour before it was booked', async () => {
  const bench = await PaymentBench.open();
  try {
    const asked = bench.order();
    bench.adyen.fund('EUR', CENTS - 1);
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    bench.adyen.fund('EUR', 100_000);
    bench.clock.advance(3_600);
    const first = bench.adyen.state.transfers.find(({ reference }) => reference === asked.railKey);
    if (!first) throw new Error('There is none.');
    Object.assign(first, { status: 'authorised', reason: null });
    bench.adyen.books.books(first);
    const listed = async (minutes: number): Promise<string[]> => {
      const all: RailMovement[] = [];
      for await (const page of bench.rail.movements(new Date(bench.clock.now().getTime() - minutes * 60_000)))
        all.push(...page);
      return all.map(({ railKey }) => railKey);
    };
    expect(await listed(90)).toEqual([asked.railKey]);
    expect(await listed(20)).toEqual([]);
  } finally {
    await bench.close();
  }
});
