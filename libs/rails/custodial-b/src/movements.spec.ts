/** What the rail lists of what moved, and what it leaves to others. */
import type { RailMovement } from '#libs/rail-kit';
import { CENTS, PaymentBench } from './payment-bench.fake';

describe('movements of custodial_b', () => {
  let bench: PaymentBench;

  beforeEach(async () => {
    bench = await PaymentBench.open();
  });
  afterEach(() => bench.close());

  async function listed(sinceDays: number, untilDays?: number): Promise<Partial<RailMovement>[]> {
    const at = (days: number): Date => new Date(bench.clock.now().getTime() + days * 86_400_000);
    const all: RailMovement[] = [];
    const until = untilDays === undefined ? undefined : at(untilDays);
    for await (const page of bench.rail.movements(at(sinceDays), until)) all.push(...page);
    return all.map(({ railKey, direction, amountCents, providerRef }) => ({
      railKey,
      direction,
      amountCents,
      providerRef,
    }));
  }

  it('are what left for a payee and what came back, each under the name that it left under, less what the bank kept', async () => {
    const asked = bench.order();
    const sent = await bench.rail.submit(asked);
    await bench.leg(asked, 'payout');
    bench.clock.advance(5 * 86_400);
    bench.adyen.books.returns(bench.bankOf(asked), 'counterpartyAccountClosed', 5);
    await bench.leg(asked, 'pull_back');
    const { railKey } = asked;
    const providerRef = sent.kind === 'accepted' ? sent.providerRef : '';
    const [out, back] = [
      { railKey, direction: 'out', amountCents: CENTS, providerRef },
      { railKey, direction: 'back', amountCents: CENTS - 5, providerRef },
    ];
    expect(await listed(-400)).toEqual([out, back]);
    expect([await listed(-1), await listed(-6, -4), await listed(-4, -1)]).toEqual([[back], [out], []]);
  });

  it('of each round have the name of that round, and the code of the payout', async () => {
    const asked = bench.order();
    bench.adyen.destines(asked.railKey, { until: 'authorised', fails: 'counterpartyBankUnavailable' });
    await bench.rail.submit(asked);
    for (const name of ['payout', 'pull_back']) await bench.leg(asked, name);
    bench.newRound();
    await bench.rail.submit(asked);
    const all = await listed(-1);
    expect(all.map(({ direction }) => direction)).toEqual(['out', 'back', 'out']);
    expect(new Set(all.map(({ railKey }) => railKey))).toEqual(new Set([asked.railKey]));
    expect(all[1]?.providerRef).toBe(all[0]?.providerRef);
    expect(all[2]?.providerRef).not.toBe(all[0]?.providerRef);
  });

  it('are not what was refused, nor what somebody else moved between the same accounts', async () => {
    const asked = bench.order();
    bench.adyen.fund('EUR', 0);
    await bench.rail.submit(asked);
    bench.adyen.fund('EUR', 100_000);
    const { platformAccount: account, accounts } = bench.adyen.state;
    const counterparty = { balanceAccountId: accounts.find(({ id }) => id !== account)?.id as string };
    const byHand = {
      reference: 'a fee',
      category: 'internal',
      account,
      counterparty,
      units: 5,
      currency: 'EUR',
    } as const;
    bench.adyen.books.transfer({ ...byHand, description: 'for September' });
    expect(await listed(-1)).toEqual([]);
  });

  it('are listed page by page', async () => {
    const orders = Array.from({ length: 120 }, () => bench.order());
    for (const order of orders) await bench.rail.submit(order);
    expect((await listed(-1)).map(({ railKey }) => railKey)).toEqual(orders.map(({ railKey }) => railKey));
  });
});
