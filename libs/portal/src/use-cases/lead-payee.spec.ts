import type { Payee } from '#libs/payees';
import type { ClaimVisit } from './visit-claim';
import { LeadPayee } from './lead-payee';

describe('the way of a payee to the page on which they take their money', () => {
  const THEN = new Date('2026-11-25T12:00:00Z');
  const PAYEE = { id: 'ada', blocked: false, emailChangedAt: null, identityChangedAt: null };
  let asked: number;
  beforeEach(() => void (asked = 0));

  /** They came as they were; `now`: as they are once their check is over. */
  const led = (now: Partial<Payee> | null, status = 'submitted', after = now): Promise<string | null> => {
    const as = (who: Partial<Payee> | null) => who && { ...PAYEE, ...who };
    const payees = { find: async () => as(asked === 0 ? now : after) };
    const links = { link: async () => ((asked += 1), { kind: 'link', url: 'https://gifts.example/1' }) };
    const lead = new LeadPayee(payees as never, { orderOf: async () => ({}) } as never, links as never);
    return lead.run({
      payee: PAYEE,
      payout: { clientId: 'one', provider: 'gift_rail', status },
    } as never as ClaimVisit);
  };

  test('is open to who came', async () => {
    expect(await led({})).toBe('https://gifts.example/1');
  });

  test.each([
    ['blocked', { blocked: true }],
    ['somebody at another address', { emailChangedAt: THEN }],
    ['somebody of another name', { identityChangedAt: THEN }],
    ['no more', null],
  ])('is not to who is %s since: nobody is asked for a link, which would count as taken', async (_, now) => {
    expect(await led(now)).toBeNull();
    expect(asked).toBe(0);
  });

  test('is not to who became somebody else while the rail made the link', async () => {
    expect(await led({}, 'submitted', { emailChangedAt: THEN })).toBeNull();
    expect(asked).toBe(1);
  });

  test('is, though they are blocked since, where it was handed over before', async () => {
    expect(await led({ blocked: true }, 'paid')).toBe('https://gifts.example/1');
  });
});
