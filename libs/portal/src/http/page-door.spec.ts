/** ADR 79: whoever has a link looks so often a minute, and keeps its payee from nothing that they came to by themselves. */
import { FailedAttempts } from '#libs/auth';
import type { GatewayRequest } from '#libs/http-kit';
import { PageDoor } from './page-door';

const A_MINUTE = 60;
const WRONG_KEYS = 3;
const ADA = { id: 'session', clientId: 'client', payeeId: 'ada' };
const [ADAS, BERTS, OLD, WRONG] = ['a', 'b', 'o', 'w'].map((letter) => letter.repeat(43)) as [
  ...[string, string, string, string],
];
/** What each token stands for. The mailbox of the old one is not Ada's any more. */
const SESSIONS: Record<string, object> = { [ADAS]: ADA, [OLD]: { ...ADA }, [BERTS]: { ...ADA, payeeId: 'bert' } };

describe('the door of the pages of payees', () => {
  let door: PageDoor;
  const read = { wallet: jest.fn(), visitor: jest.fn(), payoutOf: jest.fn() };
  beforeEach(() => {
    const clock = { now: () => new Date('2026-11-27T12:00:00Z') };
    const links = {
      session: async (token: string) => SESSIONS[token] ?? null,
      onboarding: async () => ADA,
      portal: async () => ADA,
      wallet: read.wallet.mockReset().mockResolvedValue(ADA),
    };
    read.payoutOf.mockReset().mockResolvedValue(ADA);
    read.visitor
      .mockReset()
      .mockImplementation(async (session: typeof ADA) =>
        session === SESSIONS[OLD] ? null : { payee: { id: session.payeeId }, session },
      );
    const failures = new FailedAttempts({ authFailuresPerMinute: WRONG_KEYS } as never, clock);
    door = new PageDoor(links as never, read as never, read as never, failures, clock);
  });

  const from = (kept: string | null = null): GatewayRequest =>
    ({
      ip: '192.0.2.1',
      headers: kept === null ? {} : { cookie: `__Host-wallet=${kept}` },
    }) as never;
  const looks = (kept: string | null = null) => door.payoutOf(from(kept), 'token');
  /** Whether Ada's wallet is open in this browser. */
  const opens = (kept: string) => door.isOpenFor(from(kept), { id: 'ada' });
  const times = async (number: number, look: () => Promise<unknown>): Promise<void> => {
    for (let nth = 0; nth < number; nth += 1) await look();
  };

  test('lets whoever has the link of a payment in so often a minute', async () => {
    await times(A_MINUTE, looks);
    await expect(looks()).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('keeps no payee out of their open wallet, however often somebody looks at one of their payments', async () => {
    await times(A_MINUTE, looks);
    expect(await opens(ADAS)).toBe(true);
  });

  test('nor from the payment itself, in the browser in which it is open, nor from the links that they were sent', async () => {
    await times(A_MINUTE, looks);
    await expect(looks(ADAS)).resolves.toBe(ADA);
    for (const way of ['linkOf', 'portalLinkOf', 'walletLinkOf'] as const)
      await expect(door[way](from(), 'token')).resolves.toBe(ADA);
  });

  test.each([
    ['of another payee', BERTS],
    ['that was opened by who had their address before', OLD],
    ['that never was', WRONG],
  ])('lets nobody in more often who has a wallet %s', async (_, kept) => {
    await times(A_MINUTE, looks);
    await expect(looks(kept)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('lets who had the address before keep nobody out of the wallet', async () => {
    await times(A_MINUTE, () => opens(OLD).catch(() => null));
    await times(A_MINUTE, () => opens(OLD).catch(() => null));
    expect(await opens(ADAS)).toBe(true);
  });

  test('lets an open wallet be looked at so often a minute', async () => {
    await times(A_MINUTE, () => opens(ADAS));
    await expect(opens(ADAS)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('counts a payment that its payee watches with their wallet open once a look', async () => {
    await times(A_MINUTE, async () => {
      const request = from(ADAS);
      await door.payoutOf(request, 'token');
      expect(await door.isOpenFor(request, { id: 'ada' })).toBe(true);
    });
    expect(await opens(ADAS)).toBe(true);
  });

  test('takes guesses at what a browser keeps for wrong keys, as before', async () => {
    await times(WRONG_KEYS, async () => expect(await opens(WRONG)).toBe(false));
    await expect(opens(WRONG)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  // As the page of a payment, and the link in a mail about waiting money, ask: first who has the link, then whether the wallet is open here.
  test('serves who has a good link from an address that guesses, whatever their browser kept from before', async () => {
    await times(WRONG_KEYS, () => opens(WRONG));
    await expect(looks()).resolves.toBe(ADA);
    const request = from(WRONG);
    await expect(door.payoutOf(request, 'token')).resolves.toBe(ADA);
    await expect(door.isOpenFor(request, { id: 'ada' })).resolves.toBe(false);
  });

  // On connections that are in nobody's share: one payee took all of them from everybody.
  test.each([
    ['visitor', () => opens(ADAS)],
    ['payoutOf', () => looks()],
    ['wallet', () => door.walletLinkOf(from(), 'token')],
  ] as const)('reads once for all who look at the same together: %s', async (what, look) => {
    const looked = await Promise.allSettled(Array.from({ length: 900 }, (): Promise<unknown> => look()));
    expect(looked.filter(({ status }) => status === 'fulfilled')).toHaveLength(A_MINUTE);
    expect(read[what]).toHaveBeenCalledTimes(1);
  });
});
