import type { PayeeNotice } from '#libs/domain';
import type { ClaimVisit } from '../use-cases/visit-claim';
import { ClaimController } from './claim.controller';

const PAYOUT = {
  id: 'one',
  amountCents: 1_000,
  currency: 'USD',
  status: 'held',
  destination: null,
  consolidates: false,
};
const CLIENT = { name: 'Brass', brand: {}, locale: null, testMode: false };
const PAYEE = { id: 'p', email: 'ada@example.com', payable: true, locale: null };

describe('the page of a payment that its account did not take', () => {
  const shown = async (
    notice: PayeeNotice | null,
    isOpenHere = false,
    of: Partial<ClaimVisit> = {},
  ): Promise<string> => {
    const visit: Partial<ClaimVisit> = {
      ...({ payout: PAYOUT, client: CLIENT, payee: PAYEE } as unknown as Pick<
        ClaimVisit,
        'payout' | 'client' | 'payee'
      >),
      ...{ stage: 'held', custody: 'custodial', isLed: false, checksFirst: false, partner: null, hasComeBack: false },
      ...{ notice, until: null, isServed: true, isTheirTurn: true, goesOn: false, ...of },
    };
    const controller = new ClaimController(
      { payoutOf: async () => PAYOUT, isOpenFor: async () => isOpenHere } as never,
      { run: async () => visit } as never,
      {} as never,
      {} as never,
      { of: async () => null } as never,
    );
    let page = '';
    const response = {
      setHeader: () => response,
      status: () => response,
      type: () => response,
      send: (text: string) => void (page = text),
    };
    await controller.show('t', { headers: {}, acceptsLanguages: () => false } as never, response as never);
    return page;
  };

  test('leads to where they are paid, and is no dead end', async () => {
    expect(await shown('not_accepted')).toContain('Send me the link');
    expect(await shown('not_accepted', true)).toContain('href="/portal"');
  });

  test('leads nowhere where there is nothing left for them to do', async () => {
    const page = await shown('set_up');
    expect(page).toContain('Your account is ready.');
    expect(page).not.toContain('Send me the link');
  });

  test('says that a link is mailed before it offers one', async () => {
    expect(await shown('not_accepted')).toContain(
      'To open your payments, we send a link to a\u2060…\u2060@example.com first.',
    );
    expect(await shown('not_accepted', true)).not.toContain('we send a link');
  });

  test.each([
    ['held', 'not_accepted', false],
    ['wallet', null, false],
    ['wallet', null, true],
    ['paid', null, true],
  ] as const)('promises no link where there is no address: %s, notice %s, led %s', async (stage, notice, isLed) => {
    const payee = { ...PAYEE, email: null } as never;
    for (const isOpenHere of [false, true]) {
      const page = await shown(notice, isOpenHere, { stage, isLed, payee, payout: { ...PAYOUT, legs: [] } as never });
      expect(page.split('Brass has not given us your e-mail address.')).toHaveLength(2);
      for (const unsaid of ['we send a link', 'We send a link', 'Send me the link']) expect(page).not.toContain(unsaid);
    }
  });
});
