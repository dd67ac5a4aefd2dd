/** Adyen shows another account holder than was asked for by its id: where money goes is read from that (ADR 110). */
import { API_KEY, PAYEE } from './custodial-b.world.fake';
import { PaymentBench } from './payment-bench.fake';

const OTHER = 'AH_OTHER';

describe('custodial_b, when Adyen shows another account holder than was asked for', () => {
  let bench: PaymentBench;
  beforeEach(async () => {
    bench = await PaymentBench.open();
    bench.adyen.hasHolder({ id: OTHER });
  });
  afterEach(() => bench.close());

  const path = (id: string): string => `/bcl/v2/accountHolders/${id}`;
  const lies = async (times: number): Promise<void> => {
    const { world } = bench as never as { world: { settings: { CUSTODIAL_B_BASE_URL: string } } };
    const response = await fetch(world.settings.CUSTODIAL_B_BASE_URL + path(OTHER), {
      headers: { 'x-api-key': API_KEY },
    });
    const body: unknown = await response.json();
    expect(body).toMatchObject({ id: OTHER });
    bench.adyen.faults.ask({
      effect: 'answer',
      match: { method: 'GET', path: path(PAYEE) },
      answer: { status: 200, body },
      times,
    });
  };
  const held = (id: string): unknown[] =>
    bench.adyen.state.accounts.filter(({ holderId }) => holderId === id).map(({ balances }) => balances);

  it('sends nothing to the balance account of somebody else', async () => {
    const asked = bench.order();
    const before = held(OTHER);
    await lies(1);
    expect(await bench.rail.submit(asked)).not.toMatchObject({ kind: 'accepted' });
    expect(held(OTHER)).toEqual(before);
    expect(bench.out(asked)).toBe(0);
  });

  it('sends nothing to the bank account of somebody else', async () => {
    const asked = bench.order();
    await bench.rail.submit(asked);
    await lies(1);
    await bench.leg(asked, 'payout');
    const to = bench.made({ contains: 'transferInstrumentId' }).map(({ counterparty }) => counterparty);
    const theirs = bench.adyen.books
      .entity(bench.adyen.books.holder(OTHER).legalEntityId)
      .instruments.map(({ id }) => id);
    for (const each of to)
      expect(theirs).not.toContain((each as { transferInstrumentId: string }).transferInstrumentId);
  });

  it('does not say of an account how another one stands', async () => {
    bench.adyen.shuts(bench.adyen.books.holder(PAYEE), 'suspended');
    expect(await bench.rail.readAccount(PAYEE)).toMatchObject({ kind: 'account', payable: false });
    await lies(1);
    expect(await bench.rail.readAccount(PAYEE)).not.toMatchObject({ payable: true });
  });
});
