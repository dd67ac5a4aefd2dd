import { DatabaseTrouble } from '#libs/db';
import type { LeadsPayees, PayeeLinkAnswer, Rail, RailOrder } from '#libs/rail-kit';
import { setLogLevel } from '#libs/telemetry';
import { loneRail } from '../testing/lone-rail';
import { PayeeLinkCaller } from './payee-link-caller';
import { RailHints } from './rail-hints';

const ORDER = { railKey: 'key', payoutId: 'x' } as RailOrder;
const LINK = 'https://pay.example/secret';

describe('asking a rail for the page on which a payee takes their money', () => {
  beforeAll(() => setLogLevel('silent'));

  const hints = new RailHints();
  const callerOf = (rail: Partial<Rail & LeadsPayees>): PayeeLinkCaller => {
    const { rails, calls } = loneRail(rail);
    return new PayeeLinkCaller(rails, calls, hints);
  };
  const handedOver = async (): Promise<void> => undefined;
  const answering = (answer: PayeeLinkAnswer): PayeeLinkCaller =>
    callerOf({ payeeLink: async () => answer, handedOver });

  test('what it gives is handed on, and a rail without the power has none', async () => {
    const link = { kind: 'link', url: LINK, of: 'gift-1' } as const;
    expect(await answering(link).link('toy', ORDER)).toEqual(link);
    expect(await callerOf({}).link('toy', ORDER)).toMatchObject({ kind: 'none' });
    expect(await callerOf({}).link('nobody', ORDER)).toMatchObject({ kind: 'unknown' });
  });

  test.each(['http://pay.example/secret', 'javascript:alert(1)', 'secret', ''])(
    'what is no link, or can be read along, is none, and is not repeated: %p',
    async (url) => {
      const fact = await answering({ kind: 'link', url, of: 'gift-1' }).link('toy', ORDER);
      expect(fact).toEqual({ kind: 'unknown', detail: 'the rail gave a link that is none' });
    },
  );

  test('an error that holds the link is not repeated', async () => {
    const payeeLink = async (): Promise<never> => {
      throw new TypeError(`Invalid URL: ${LINK}`);
    };
    const fact = await callerOf({ payeeLink, handedOver }).link('toy', ORDER);
    expect(fact).toEqual({ kind: 'unknown', detail: 'the rail threw TypeError' });
  });

  test('it is told what was handed over, and what it could not write down was not', async () => {
    const told: unknown[] = [];
    const payeeLink = async (): Promise<PayeeLinkAnswer> => ({ kind: 'none', detail: 'not asked' });
    const noting = callerOf({ payeeLink, handedOver: async (...of) => void told.push(of) });
    expect(await noting.handedOver('toy', ORDER, { of: 'gift-1' })).toBe(true);
    expect(told).toEqual([[ORDER, 'gift-1']]);
    const failing = async (): Promise<never> => {
      throw new Error('no database');
    };
    expect(await callerOf({ payeeLink, handedOver: failing }).handedOver('toy', ORDER, { of: 'gift-1' })).toBe(false);
    expect(await callerOf({}).handedOver('toy', ORDER, { of: 'gift-1' })).toBe(false);
    const busy = () => Promise.reject(new DatabaseTrouble('timeout', new Error('busy')));
    const met = callerOf({ payeeLink, handedOver: busy }).handedOver('toy', ORDER, { of: 'gift-1' });
    await expect(met).rejects.toThrow('busy');
  });

  test('whoever follows payouts is told, and nobody waits for that', async () => {
    const told: unknown[] = [];
    hints.follow(async (...news) => void told.push(news));
    await callerOf({}).tell('toy', ORDER);
    expect(told).toEqual([['toy', 'key', 0]]);
    hints.follow(() => Promise.reject(new Error('no database')));
    await expect(callerOf({}).tell('toy', ORDER)).resolves.toBeUndefined();
  });

  test('what it cannot tell now is unknown to whoever waits', async () => {
    const later = { kind: 'not_now', afterSeconds: 60, detail: 'too many calls' } as const;
    expect(await answering(later).link('toy', ORDER)).toEqual({ kind: 'unknown', detail: 'too many calls' });
  });
});
