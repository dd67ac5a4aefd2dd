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
  const shown = async (notice: PayeeNotice, isOpenHere = false): Promise<string> => {
    const visit: Partial<ClaimVisit> = {
      ...({ payout: PAYOUT, client: CLIENT, payee: PAYEE } as unknown as Pick<
        ClaimVisit,
        'payout' | 'client' | 'payee'
      >),
      ...{ stage: 'held', custody: 'custodial', isLed: false, checksFirst: false, partner: null, hasComeBack: false },
      ...{ notice, until: null },
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
});
