import type { ChecksPayees, DirectsChecks, Rail } from '#libs/rail-kit';
import { testOrder } from '#libs/rail-kit/testing';
import { log, setLogLevel } from '#libs/telemetry';
import { loneRail } from '../testing/lone-rail';
import { PayeeCheckCaller } from './payee-check-caller';
import type { RegisteredRail } from './rails';

const VISIT = { returnUrl: 'https://pay.example/back', refreshUrl: 'https://pay.example/again', locale: null };
const SECRET = 'https://ids.example/secret-4711';
const link = { kind: 'link', url: SECRET, expiresAt: null } as const;

describe('asking a rail whether a payee was checked', () => {
  beforeAll(() => setLogLevel('silent'));

  const traits = {
    custody: 'swap',
    countries: '*',
    currencies: '*',
    floorCents: 1,
  } as unknown as RegisteredRail['traits'];
  const order = testOrder(traits);
  const callerOf = (rail: Partial<Rail & ChecksPayees & DirectsChecks>): PayeeCheckCaller => {
    const { rails, calls } = loneRail(rail, { traits });
    return new PayeeCheckCaller(rails, calls);
  };
  const checking = (checkPayee: unknown, payeeCheckLink: unknown = async () => link): PayeeCheckCaller =>
    callerOf({ checkPayee, payeeCheckLink } as Partial<ChecksPayees>);

  test('of a rail without the power, or of one that is not there, nobody is cleared', async () => {
    expect((await callerOf({}).check('toy', order)).kind).toBe('unknown');
    expect((await callerOf({}).link('toy', order, VISIT)).kind).toBe('unknown');
    expect((await checking(async () => ({ kind: 'cleared' })).check('nobody', order)).kind).toBe('unknown');
  });

  test.each([
    ['throws', async () => Promise.reject(new Error(`of ${SECRET}`))],
    ['answers with what is no answer', async () => ({ kind: 'approved' })],
    ['answers nothing at all', async () => undefined],
    ['wants to be left alone', async () => ({ kind: 'not_now', afterSeconds: 60, detail: 'maintenance' })],
  ])('nobody is cleared by one that %s', async (_, checkPayee) => {
    const fact = await checking(checkPayee).check('toy', order);
    expect(fact.kind).toBe('unknown');
    expect(JSON.stringify(fact)).not.toContain(SECRET);
  });

  test('a clear answer counts', async () => {
    expect(await checking(async () => ({ kind: 'cleared' })).check('toy', order)).toEqual({ kind: 'cleared' });
  });

  test('the link is handed on, if nobody can read it along, and stands in no line of the log', async () => {
    const lines = jest.spyOn(log, 'info');
    const cleared = async (): Promise<object> => ({ kind: 'cleared' });
    expect(await checking(cleared).link('toy', order, VISIT)).toEqual(link);
    const open = async (): Promise<object> => ({ ...link, url: SECRET.replace('https', 'http') });
    const broken = async (): Promise<object> => Promise.reject(new TypeError(`Invalid URL: ${SECRET}`));
    for (const wrong of [open, broken]) {
      const fact = await checking(cleared, wrong).link('toy', order, VISIT);
      expect(fact.kind).toBe('unknown');
      expect(JSON.stringify(fact)).not.toContain('secret');
    }
    expect(lines.mock.calls.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines.mock.calls)).not.toContain('secret');
    lines.mockRestore();
  });

  test('only a rail for tests is told what to think of somebody', async () => {
    const directCheck = jest.fn(async () => undefined);
    await callerOf({ directCheck }).direct('toy', order, { kind: 'cleared' });
    await callerOf({}).direct('toy', order, { kind: 'cleared' });
    expect(directCheck).toHaveBeenCalledTimes(1);
  });
});
