/** What becomes of a payout once its money lies in the payee's account: to the bank, or back to us. */
import type { RailOrder } from '#libs/rail-kit';
import type { AdyenTransfer } from '../testing/src';
import { BANK, FUND, PAYEE } from './custodial-b.world.fake';
import { CENTS, PaymentBench, wanted } from './payment-bench.fake';

const NO = { type: 'https://docs.adyen.com/errors/general', title: 'No', detail: 'No.' };

describe('custodial_b, with the money in the account of its payee', () => {
  let bench: PaymentBench;
  let asked: RailOrder;

  beforeEach(async () => {
    bench = await PaymentBench.open();
    asked = bench.order();
    await bench.rail.submit(asked);
  });

  afterEach(() => bench.close());

  it('waits until it is there, under a key of its own each time', async () => {
    expect(await bench.rail.lookup(asked)).toMatchObject({ next: { leg: 'payout' } });
    bench.balances().EUR = 0;
    expect(await bench.leg(asked, 'payout')).toMatchObject({ next: { leg: 'payout', afterSeconds: 3_600 } });
    expect(await bench.rail.lookup(asked)).toMatchObject({ next: { leg: 'payout', afterSeconds: 3_600 } });
    bench.clock.advance(3_600);
    bench.balances().EUR = CENTS;
    expect(await bench.leg(asked, 'payout')).toMatchObject({ kind: 'accepted' });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'settled' });
    expect(new Set(bench.made(BANK).map(({ key }) => key)).size).toBe(2);
  });

  it('is pulled back if it does not leave within a week, as soon as the account has it again', async () => {
    bench.balances().EUR = 0;
    await bench.leg(asked, 'payout');
    bench.clock.advance(8 * 86_400);
    expect(wanted(await bench.leg(asked, 'payout'))).toBe('pull_back');
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ next: { leg: 'pull_back', afterSeconds: 3_600 } });
    expect(wanted(await bench.rail.lookup(asked))).toBe('pull_back');
    bench.balances().EUR = CENTS;
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
    expect([bench.out(asked), bench.banks(asked)]).toEqual([0, ['refused']]);
  });

  it.each([
    ['counterpartyAccountClosed', 'permanent'],
    ['counterpartyBankUnavailable', 'transient'],
    ['unknown', 'transient'],
  ])('is pulled back, and refused then, if the bank does not take it: %s', async (fails, failure) => {
    bench.adyen.destines(asked.railKey, { until: 'authorised', fails });
    await bench.leg(asked, 'payout');
    expect(wanted(await bench.rail.lookup(asked))).toBe('pull_back');
    bench.adyen.faults.ask({ effect: 'cut_after', match: FUND });
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'unknown' });
    expect(await bench.anotherProcess().lookup(asked)).toMatchObject({ kind: 'refused', failure });
    expect(bench.out(asked)).toBe(0);
  });

  it('goes out in another round after that, and is told by that one, whatever we have forgotten', async () => {
    bench.adyen.destines(asked.railKey, { until: 'authorised', fails: 'counterpartyBankUnavailable' });
    await bench.leg(asked, 'payout');
    await bench.rail.lookup(asked);
    await bench.leg(asked, 'pull_back');
    bench.newRound();
    bench.forgetsAll();
    expect(wanted(await bench.rail.submit(asked))).toBe('payout');
    await bench.leg(asked, 'payout');
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'settled' });
    expect([bench.out(asked), bench.banks(asked)]).toEqual([CENTS, ['failed', 'booked']]);
  });

  it('is not told by the round before it while Adyen shows what was before it was pulled back', async () => {
    bench.adyen.destines(asked.railKey, { until: 'authorised', fails: 'counterpartyBankUnavailable' });
    await bench.leg(asked, 'payout');
    await bench.rail.lookup(asked);
    const answer = { status: 200, body: await bench.shown(asked) };
    await bench.leg(asked, 'pull_back');
    bench.newRound();
    expect(wanted(await bench.rail.submit(asked))).toBe('payout');
    const match = { method: 'GET', path: '/btl/v4/transfers' };
    const listed = (): void => {
      for (const each of [answer, { status: 200, body: { data: [] } }])
        bench.adyen.faults.ask({ effect: 'answer', match, answer: each });
    };
    listed();
    expect(await bench.rail.lookup(asked)).toEqual({ kind: 'never_seen' });
    listed();
    expect(await bench.leg(asked, 'payout')).toMatchObject({ kind: 'unknown' });
    expect(wanted(await bench.rail.lookup(asked))).toBe('payout');
  });

  it.each(['account', 'permanent'])('is pulled back if Adyen turns the second transfer away: %s', async (failure) => {
    const body = { ...NO, status: 422, errorCode: failure === 'account' ? '30_112' : '29_000' };
    bench.adyen.faults.ask({ effect: 'answer', match: BANK, answer: { status: 422, body } });
    expect(wanted(await bench.leg(asked, 'payout'))).toBe('pull_back');
    expect(wanted(await bench.anotherProcess().lookup(asked))).toBe('pull_back');
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'refused', failure });
    expect(bench.out(asked)).toBe(0);
  });

  it('is pulled back if the account has no bank account any more', async () => {
    bench.adyen.books.entity(bench.adyen.books.holder(PAYEE).legalEntityId).instruments.pop();
    expect(wanted(await bench.leg(asked, 'payout'))).toBe('pull_back');
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'refused', failure: 'account' });
    expect([bench.out(asked), bench.made(BANK)]).toEqual([0, []]);
  });

  it('is not paid out by a process that slept once it is to be pulled back, whoever else has money there', async () => {
    const { rail: sleeper, asleep, wake } = bench.sleeper('instrument:');
    const late = bench.leg(asked, 'payout', sleeper);
    await asleep;
    bench.adyen.books.entity(bench.adyen.books.holder(PAYEE).legalEntityId).instruments.pop();
    expect(wanted(await bench.leg(asked, 'payout'))).toBe('pull_back');
    bench.balances().EUR = 3 * CENTS;
    wake();
    expect(wanted(await late)).toBe('pull_back');
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'refused', failure: 'account' });
    expect([bench.out(asked), bench.made(BANK), bench.balances().EUR]).toEqual([0, [], 2 * CENTS]);
  });

  it('is not paid out by one that slept for a week either', async () => {
    bench.balances().EUR = 0;
    await bench.leg(asked, 'payout');
    const { rail: sleeper, asleep, wake } = bench.sleeper('instrument:');
    const late = bench.leg(asked, 'payout', sleeper);
    await asleep;
    bench.clock.advance(8 * 86_400);
    bench.balances().EUR = 3 * CENTS;
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'refused' });
    wake();
    await late;
    expect([bench.out(asked), bench.banks(asked), bench.balances().EUR]).toEqual([0, ['refused'], 2 * CENTS]);
  });

  it('is paid out, and not pulled back, if somebody was about to when it was to be', async () => {
    bench.balances().EUR = 0;
    await bench.leg(asked, 'payout');
    // It wrote down where the money goes, and died.
    bench.adyen.faults.ask({ effect: 'cut_before', match: BANK });
    await bench.leg(asked, 'payout');
    bench.clock.advance(8 * 86_400);
    bench.balances().EUR = CENTS;
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'accepted' });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'settled' });
    expect([bench.out(asked), bench.balances().EUR]).toEqual([CENTS, 0]);
  });

  it('is pulled back once though what Adyen lists lags behind, and the core is in another round', async () => {
    bench.adyen.destines(asked.railKey, { until: 'authorised', fails: 'counterpartyBankUnavailable' });
    await bench.leg(asked, 'payout');
    expect(wanted(await bench.rail.lookup(asked))).toBe('pull_back');
    const before = await bench.shown(asked);
    await bench.leg(asked, 'pull_back');
    bench.balances().EUR = 3 * CENTS;
    bench.newRound();
    const match = { method: 'GET', path: '/btl/v4/transfers' };
    bench.adyen.faults.ask({ effect: 'answer', match, answer: { status: 200, body: before } });
    await bench.leg(asked, 'pull_back');
    expect([bench.out(asked), bench.balances().EUR]).toEqual([0, 3 * CENTS]);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'transient' });
  });

  it('is pulled back once though the call is still under way for another process, and what Adyen lists lags behind', async () => {
    bench.adyen.destines(asked.railKey, { until: 'authorised', fails: 'counterpartyBankUnavailable' });
    await bench.leg(asked, 'payout');
    expect(wanted(await bench.rail.lookup(asked))).toBe('pull_back');
    const before = await bench.shown(asked);
    const lags = (): unknown =>
      bench.adyen.faults.ask({
        ...{ effect: 'answer', match: { method: 'GET', path: '/btl/v4/transfers' } },
        answer: { status: 200, body: before },
      });
    bench.adyen.faults.ask({ effect: 'cut_after', match: FUND });
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'unknown' });
    bench.balances().EUR = 3 * CENTS;
    const body = { ...NO, status: 422, errorCode: '704' };
    bench.adyen.faults.ask({ effect: 'answer', match: FUND, answer: { status: 422, body } });
    lags();
    expect(await bench.leg(asked, 'pull_back', bench.anotherProcess())).toMatchObject({ kind: 'unknown' });
    lags();
    await bench.leg(asked, 'pull_back');
    expect([bench.out(asked), bench.balances().EUR]).toEqual([0, 3 * CENTS]);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'transient' });
  });

  it.each(['returned', 'failed'])('that was booked and then %s is sent back to us, and bounced then', async (what) => {
    await bench.leg(asked, 'payout');
    const bank = bench.bankOf(asked);
    if (what === 'returned') bench.adyen.books.returns(bank, 'counterpartyAccountClosed');
    else bench.adyen.books.fails(bank, 'refusedByCounterpartyBank');
    expect(wanted(await bench.rail.lookup(asked))).toBe('pull_back');
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'settled' });
    expect(await bench.rail.lookup(asked)).toEqual({ kind: 'bounced', feeCents: 0 });
    expect(bench.out(asked)).toBe(0);
    // Sent once more it is what it was: paid, and not a new round.
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'settled' });
  });

  it.each([
    [5, 'pull_back'],
    [CENTS, undefined],
  ])('is bounced less what the bank kept: %i', async (kept, next) => {
    await bench.leg(asked, 'payout');
    bench.adyen.books.returns(bench.bankOf(asked), 'counterpartyAccountClosed', kept);
    expect(wanted(await bench.rail.lookup(asked))).toBe(next);
    if (next) await bench.leg(asked, 'pull_back');
    expect(await bench.rail.lookup(asked)).toEqual({ kind: 'bounced', feeCents: kept });
    expect([bench.out(asked), bench.balances().EUR]).toEqual([kept, 0]);
  });

  it('is pulled back later if the account owes Adyen something', async () => {
    await bench.leg(asked, 'payout');
    bench.adyen.books.returns(bench.bankOf(asked), 'counterpartyAccountClosed');
    bench.balances().EUR = 1;
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ next: { leg: 'pull_back', afterSeconds: 3_600 } });
    bench.balances().EUR = CENTS;
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'settled' });
    expect(await bench.rail.lookup(asked)).toEqual({ kind: 'bounced', feeCents: 0 });
  });

  it('is neither refused nor unseen while Adyen does not know our key', async () => {
    const stranger = bench.anotherProcess({ CUSTODIAL_B_API_KEY: 'key_of_somebody_else' });
    expect(await stranger.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(await stranger.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await bench.leg(asked, 'payout', stranger)).toMatchObject({ kind: 'unknown' });
    expect(await stranger.submit(bench.order())).toMatchObject({ kind: 'refused', failure: 'credentials' });
    expect(await stranger.verify()).toMatchObject({ kind: 'rejected' });
  });

  it.each<[string, (bank: AdyenTransfer, all: AdyenTransfer[]) => void]>([
    ['in a word that stands in no table', (bank) => Object.assign(bank, { status: 'undefined' })],
    ['with two transfers from us', (_, all) => all.push({ ...(all[0] as AdyenTransfer), id: 'TR2' })],
    ['on its way to the bank and back at once', (bank, all) => all.push(backOf(bank))],
  ])('is unknown %s', async (_, change) => {
    await bench.leg(asked, 'payout');
    change(bench.bankOf(asked), bench.adyen.state.transfers);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
  });

  it('is unknown to whoever asks about it for another account', async () => {
    const other = { ...asked, accountId: 'AH_OTHER' };
    expect(await bench.rail.lookup(other)).toMatchObject({ kind: 'unknown' });
    expect(await bench.rail.submit(other)).toMatchObject({ kind: 'unknown' });
  });
});

/** Somebody took it back by hand. */
const backOf = (bank: AdyenTransfer): AdyenTransfer => ({
  ...{ ...bank, id: 'TR2', category: 'internal', status: 'booked' },
  counterparty: { balanceAccountId: 'BA_PLATFORM' },
});
