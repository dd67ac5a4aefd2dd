/** The first transfer of a payout: what the conformance suite does not ask every rail for. */
import { BANK, FUND, PAYEE } from './custodial-b.world.fake';
import { CENTS, PaymentBench, wanted } from './payment-bench.fake';

const NO = { type: 'https://docs.adyen.com/errors/general', title: 'No', detail: 'No.' };

describe('custodial_b', () => {
  let bench: PaymentBench;

  beforeEach(async () => {
    bench = await PaymentBench.open();
  });
  afterEach(() => bench.close());

  it('sends from the platform to the account of the payee, and from there to their bank, with the payer on the statement', async () => {
    const asked = bench.order({ payerName: 'Ada & Söhne <GmbH>' });
    expect(wanted(await bench.rail.submit(asked))).toBe('payout');
    await bench.leg(asked, 'payout');
    const { railKey } = asked;
    const [fund, bank] = [bench.made(FUND)[0], bench.made(BANK)[0]];
    const id = bench.adyen.transfersOf(railKey)[0]?.id;
    const account = bench.adyen.state.accounts.find(({ holderId }) => holderId === PAYEE)?.id;
    const amount = { value: CENTS, currency: 'EUR' };
    expect(fund).toEqual({
      ...{ amount, balanceAccountId: 'BA_PLATFORM', category: 'internal', reference: railKey, key: railKey },
      ...{ counterparty: { balanceAccountId: account }, description: 'payout-gateway:spec' },
    });
    expect(bank).toEqual({
      ...{ amount, balanceAccountId: account, category: 'bank', priority: 'regular', reference: railKey },
      ...{ counterparty: { transferInstrumentId: expect.any(String) as string }, description: 'Ada Sohne GmbH' },
      key: `${id}.bank`,
    });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'settled', settledAt: bench.clock.now() });
  });

  it('is paid once it is booked, and says when it arrived once the bank says so', async () => {
    const asked = bench.order();
    bench.adyen.destines(asked.railKey, { until: 'booked', fails: null });
    await bench.rail.submit(asked);
    await bench.leg(asked, 'payout');
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'settled', settledAt: null });
    bench.clock.advance(86_400);
    bench.adyen.books.credits(bench.bankOf(asked));
    const arrived = bench.clock.now();
    bench.clock.advance(86_400);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'settled', settledAt: arrived });
  });

  it('is refused for lack of funds, round after round, and goes out in another one once there are some', async () => {
    const asked = bench.order();
    bench.adyen.fund('EUR', CENTS - 1);
    for (let turn = 0; turn < 3; turn += 1)
      expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    expect(await bench.anotherProcess().lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    bench.adyen.fund('EUR', 100_000);
    bench.forgetsAll();
    expect(wanted(await bench.anotherProcess().submit(asked))).toBe('payout');
    expect(bench.made(FUND).map(({ reference }) => reference)).toEqual(
      ['', '.2', '.3', '.4'].map((n) => asked.railKey + n),
    );
    expect(bench.out(asked)).toBe(CENTS);
  });

  it('is not refused for the round before it while Adyen does not list the one that followed', async () => {
    const asked = bench.order();
    bench.adyen.fund('EUR', CENTS - 1);
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    bench.adyen.fund('EUR', 100_000);
    const before = [await bench.shown(asked), { data: [] }];
    expect(wanted(await bench.rail.submit(asked))).toBe('payout');
    const match = { method: 'GET', path: '/btl/v4/transfers' };
    // Two questions, each about both rounds.
    for (const body of [...before, ...before])
      bench.adyen.faults.ask({ effect: 'answer', match, answer: { status: 200, body } });
    expect(await bench.rail.lookup(asked)).toEqual({ kind: 'never_seen' });
    expect(await bench.leg(asked, 'payout')).toMatchObject({ kind: 'unknown' });
    expect(wanted(await bench.rail.lookup(asked))).toBe('payout');
    expect(bench.out(asked)).toBe(CENTS);
  });

  it.each([0, 100, 400])('makes no second transfer after %i days, though its own records are lost', async (days) => {
    const asked = bench.order();
    await bench.rail.submit(asked);
    bench.clock.advance(days * 86_400);
    // Of what is older than half a year the record that it began has to be there.
    if (days < 150) bench.forgetsAll();
    expect(wanted(await bench.anotherProcess().submit(asked))).toBe('payout');
    expect(bench.made(FUND)).toHaveLength(1);
  });

  it('moves once though two processes send it at the same moment, again and again', async () => {
    const asked = bench.order();
    bench.adyen.faults.ask({ effect: 'cut_after', match: FUND });
    await Promise.all([bench.rail.submit(asked), bench.anotherProcess().submit(asked), bench.rail.submit(asked)]);
    await bench.rail.submit(asked);
    expect(bench.out(asked)).toBe(CENTS);
  });

  it('refuses nothing by itself once it was sent: what was given up may arrive later', async () => {
    const asked = bench.order();
    bench.adyen.faults.ask({ effect: 'cut_before', match: FUND });
    expect((await bench.rail.submit(asked)).kind).toBe('unknown');
    bench.adyen.shuts(bench.adyen.books.holder(PAYEE), 'suspended');
    const before = bench.made(FUND).length;
    await bench.rail.submit(asked);
    expect(bench.made(FUND).length).toBe(before + 1);
    // Whom nothing was sent to is refused without a call that moves money.
    expect(await bench.rail.submit(bench.order())).toMatchObject({ kind: 'refused', failure: 'account' });
    expect(bench.made(FUND).length).toBe(before + 1);
  });

  it.each([
    ['cut_before', 'unknown'],
    ['answer', 'refused'],
  ] as const)('with a key that counts no more, after %s, it is %s', async (effect, kind) => {
    const asked = bench.order();
    const no = { status: 401, body: { status: 401, errorCode: '000', message: 'No.' } };
    bench.adyen.faults.ask({ effect, match: FUND, answer: no });
    await bench.rail.submit(asked);
    bench.adyen.faults.ask({ effect: 'answer', match: FUND, answer: no });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind });
    expect(wanted(await bench.rail.submit(asked))).toBe('payout');
    expect(bench.out(asked)).toBe(CENTS);
  });

  it.each([
    [{ status: 422, body: { ...NO, status: 422, errorCode: '29_000' } }, 'refused'],
    [{ status: 422, body: { ...NO, status: 422, errorCode: '704' } }, 'unknown'],
    [{ status: 422, body: { error: 'of a proxy' } }, 'unknown'],
    [{ status: 400, body: { ...NO, status: 400, errorCode: '29_000' } }, 'unknown'],
    [{ status: 503, body: { ...NO, status: 503, errorCode: '29_000' } }, 'unknown'],
  ])('after %p it is %s, and under which key it goes out then follows from that', async (answer, kind) => {
    const asked = bench.order();
    bench.adyen.faults.ask({ effect: 'answer', match: FUND, answer });
    expect((await bench.rail.submit(asked)).kind).toBe(kind);
    expect(wanted(await bench.rail.submit(asked))).toBe('payout');
    expect(bench.made(FUND).map(({ key }) => key)).toEqual([kind === 'refused' ? `${asked.railKey}:2` : asked.railKey]);
  });

  it.each(['/btl/v4/transfers', '/bcl/v2/accountHolders'])(
    'does not close the lane of all for a question about one that was not answered: %s',
    async (path) => {
      const asked = bench.order();
      bench.adyen.faults.ask({ effect: 'server_error', match: { method: 'GET', path } });
      expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      expect(bench.made(FUND)).toEqual([]);
      expect(wanted(await bench.rail.submit(asked))).toBe('payout');
      expect(bench.out(asked)).toBe(CENTS);
    },
  );

  it('has no key and no reference that is longer than Adyen takes', async () => {
    const asked = bench.order({ railKey: `gw${'a'.repeat(48)}` });
    bench.adyen.fund('EUR', 0);
    for (let turn = 0; turn < 12; turn += 1) await bench.rail.submit(asked);
    for (const { key, reference } of bench.made(FUND))
      expect([key, reference].map((text) => String(text).length <= 64)).toEqual([true, true]);
  });

  it('says whose account it speaks for, and what lies in it', async () => {
    expect(await bench.rail.verify()).toEqual({
      ...{ kind: 'works', account: 'SimulatedPlatform/BA_PLATFORM', mode: 'sandbox' },
    });
    bench.adyen.fund('HUF', 123_400);
    expect(await bench.rail.funding()).toContainEqual({ currency: 'HUF', availableCents: 123_400 });
    const elsewhere = bench.anotherProcess({ CUSTODIAL_B_BALANCE_PLATFORM: 'OtherPlatform' });
    expect(await elsewhere.verify()).toMatchObject({ kind: 'rejected' });
  });

  it('asks whether Adyen knows its key for legal entities, and not what that may read', async () => {
    const entities = { method: 'GET', path: '/lem/v4/legalEntities/' };
    const stranger = bench.anotherProcess({ CUSTODIAL_B_LEM_API_KEY: 'key_of_somebody_else' });
    expect(await stranger.verify()).toMatchObject({ kind: 'rejected' });
    const body = { ...NO, status: 403, errorCode: '00_403' };
    bench.adyen.faults.ask({ effect: 'answer', match: entities, answer: { status: 403, body } });
    bench.adyen.faults.ask({ effect: 'server_error', match: entities });
    for (let times = 0; times < 2; times += 1) expect(await bench.rail.verify()).toMatchObject({ kind: 'works' });
    expect(bench.adyen.faults.list()).toEqual([]);
  });
});
