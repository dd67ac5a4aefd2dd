/** ADR 79: a mailed link that is good opens its page, whatever the browser kept and whoever else guesses. */
import { FailedAttempts } from '#libs/auth';
import type { GatewayRequest } from '#libs/http-kit';
import { PageDoor } from './page-door';
import { PortalOpenController } from './portal-open.controller';

const WRONG_KEYS = 3;
const MOST_LOOKS = 60;
const ADA = { clientId: 'client', payeeId: 'ada' };
const [GOOD, SPENT, WRONG, ADAS, BERTS, TAP] = ['g', 's', 'w', 'a', 'b', 't'].map((letter) => letter.repeat(43)) as [
  ...[string, string, string, string, string, string],
];
const SESSIONS: Record<string, object> = { [ADAS]: ADA, [BERTS]: { ...ADA, payeeId: 'bert' } };

describe('a mailed link into the wallet', () => {
  let door: PageDoor;
  let controller: PortalOpenController;
  let said: number;
  let ledTo: string[];
  beforeEach(() => {
    const clock = { now: () => new Date('2026-11-27T12:00:00Z') };
    const links = {
      session: async (token: string) => SESSIONS[token] ?? null,
      portal: async (token: string) => (token === GOOD ? ADA : null),
      isSpent: async (token: string, payeeId: string) => token === SPENT && payeeId === 'ada',
    };
    const visits = {
      visitor: async (session: typeof ADA) => ({ payee: { id: session.payeeId }, session }),
      behindLink: async () => ({ payee: { id: 'ada' }, client: {} }),
    };
    const failures = new FailedAttempts({ authFailuresPerMinute: WRONG_KEYS } as never, clock);
    door = new PageDoor(links as never, {} as never, visits as never, failures, clock);
    [said, ledTo] = [0, []];
    const opening = { newTap: () => TAP, sessionOf: () => ADAS, run: async (token: string) => token === GOOD };
    const wallet = { say: () => (said += 1) };
    controller = new PortalOpenController(door, visits as never, opening as never, wallet as never);
  });

  const from = (kept?: string): GatewayRequest =>
    ({ ip: '192.0.2.1', headers: kept ? { cookie: `__Host-wallet=${kept}` } : {} }) as never;
  const response = {
    setHeader: () => undefined,
    cookie: () => undefined,
    redirect: (_: 303, to: string) => ledTo.push(to),
  };
  const look = (token: string, kept?: string) => controller.look(token, from(kept), response as never);
  const tap = (token: string, kept?: string) => controller.open(token, TAP, from(kept), response as never);
  const times = async (number: number, work: () => Promise<unknown>): Promise<void> => {
    for (let nth = 0; nth < number; nth += 1) await work().catch(() => undefined);
  };

  test.each([
    ['nothing', undefined],
    ['the cookie of a wallet that is over', WRONG],
    ["the cookie of another payee's wallet", BERTS],
  ])('is good at an address that guesses, in a browser that kept %s', async (_, kept) => {
    await times(WRONG_KEYS + 1, () => look(WRONG));
    await look(GOOD, kept);
    await tap(GOOD, kept);
    expect([said, ledTo]).toEqual([1, ['/portal']]);
  });

  test('is good where its wallet is open and was looked at as often as may be', async () => {
    await times(MOST_LOOKS + 1, () => door.visitor(from(ADAS)));
    await look(GOOD, ADAS);
    expect(said).toBe(1);
  });

  test('that is used leads into its wallet where that is open, and is no guess there', async () => {
    await times(WRONG_KEYS + 1, () => look(SPENT, ADAS));
    await tap(SPENT, ADAS);
    expect(ledTo).toEqual(Array(WRONG_KEYS + 2).fill('/portal'));
    await expect(look(WRONG)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['no wallet', undefined],
    ['a wallet that is over', WRONG],
    ["another payee's wallet", BERTS],
  ])('that is used is a guess in a browser with %s, and one only', async (_, kept) => {
    for (let nth = 0; nth < WRONG_KEYS; nth += 1)
      await expect(look(SPENT, kept)).rejects.toMatchObject({ code: 'not_found' });
    await expect(look(SPENT, kept)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
