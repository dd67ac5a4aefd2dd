import type { Payee } from '#libs/payees';
import type { ClaimVisit } from './visit-claim';
import { LeadPayee } from './lead-payee';

const LINK = 'https://gifts.example/1';

describe('the way of a payee to the page on which they take their money', () => {
  const THEN = new Date('2026-11-25T12:00:00Z');
  const PAYEE = { id: 'ada', blocked: false, emailChangedAt: null, identityChangedAt: null };
  /** What the rail was asked for and told, in order. */
  let said: string[];
  beforeEach(() => void (said = []));

  /** They came as they were; `now`: as they are once their check is over, `after`: once the link is made. */
  const led = (
    now: Partial<Payee> | null,
    {
      status = 'submitted',
      after = now,
      isNoted = true,
      hasTurn = true,
      isWantedSince = false,
      hasEndedSince = false,
      isOnHold = [false, false],
    }: Led = {},
  ): Promise<string | null> => {
    const as = (who: Partial<Payee> | null) => who && { ...PAYEE, ...who };
    const payees = { find: async () => as(now) };
    const locks = {
      with: (_: string[], work: (held: Map<string, unknown>) => unknown) => work(new Map([['ada', as(after)]])),
    };
    const links = {
      link: async () => (said.push('link'), { kind: 'link', url: LINK, of: 'gift-1' }),
      handedOver: async (...[, , { of }]: [string, object, { of: string }]) => (
        said.push(`handed over ${of}`),
        isNoted
      ),
      tell: async () => void said.push('told'),
    };
    const checks = {
      takesTurn: () => hasTurn,
      isWantedSince: async () => isWantedSince,
      hasEndedSince: async () => hasEndedSince,
      isOnHold: async () => isOnHold[said.includes('link') ? 1 : 0],
    };
    const rail = { orderOf: async () => ({}) };
    const lead = new LeadPayee(payees as never, locks as never, rail as never, links as never, checks as never);
    return lead.run({
      ...{ payee: PAYEE, client: { id: 'one' } },
      payout: { clientId: 'one', provider: 'gift_rail', status },
    } as never as ClaimVisit);
  };

  test('is open to who came, and is noted before it is', async () => {
    expect(await led({})).toBe(LINK);
    expect(said).toEqual(['link', 'handed over gift-1', 'told']);
  });

  const OTHERS: [string, Partial<Payee> | null][] = [
    ['blocked', { blocked: true }],
    ['somebody at another address', { emailChangedAt: THEN }],
    ['somebody of another name', { identityChangedAt: THEN }],
    ['no more', null],
  ];

  test.each(OTHERS)('is not to who is %s since: nobody is asked for a link', async (_, now) => {
    expect(await led(now)).toBeNull();
    expect(said).toEqual([]);
  });

  test.each(OTHERS)(
    'is not to who is %s once the rail made the link, which nobody was handed then',
    async (_, after) => {
      expect(await led({}, { after })).toBeNull();
      expect(said).toEqual(['link']);
    },
  );

  test('is not once their client wants them checked: nobody was handed the link then', async () => {
    expect(await led({}, { isWantedSince: true })).toBeNull();
    expect(said).toEqual(['link']);
  });

  test('is not once the payment has ended: nobody was handed the link then', async () => {
    expect(await led({}, { hasEndedSince: true })).toBeNull();
    expect(said).toEqual(['link']);
  });

  test('is not to what is on hold: nobody is asked for a link, or nobody was handed it', async () => {
    expect(await led({}, { isOnHold: [true, true], status: 'paid' })).toBeNull();
    expect(said).toEqual([]);
    expect(await led({}, { isOnHold: [false, true] })).toBeNull();
    expect(said).toEqual(['link']);
  });

  test('is not while nobody can note it: money that left would not be known', async () => {
    expect(await led({}, { isNoted: false })).toBeNull();
    expect(said).toEqual(['link', 'handed over gift-1']);
  });

  test('is not while the payees of this client asked its rail as often as they may', async () => {
    expect(await led({}, { hasTurn: false })).toBeNull();
    expect(said).toEqual([]);
  });

  test('is again where it was handed over before, for a browser may close too soon', async () => {
    expect(await led({}, { status: 'paid' })).toBe(LINK);
  });

  test('is not again to who is blocked since: another link would give it to them now', async () => {
    expect(await led({ blocked: true }, { status: 'paid' })).toBeNull();
    expect(said).toEqual([]);
  });
});

interface Led {
  status?: string;
  after?: Partial<Payee> | null;
  /** The rail could write it down. */
  isNoted?: boolean;
  hasTurn?: boolean;
  /** Their client wants its payees checked since they came. */
  isWantedSince?: boolean;
  /** It was cancelled, or is owed again, since they came. */
  hasEndedSince?: boolean;
  /** Before its rail was asked, and since. */
  isOnHold?: [boolean, boolean];
}
