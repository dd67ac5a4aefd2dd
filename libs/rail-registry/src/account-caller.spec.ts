import { DatabaseTrouble } from '#libs/db';
import type { AccountAnswer, HostsOnboarding, OpensAccounts, Rail, ReadsAccounts } from '#libs/rail-kit';
import { setLogLevel } from '#libs/telemetry';
import { loneRail } from '../testing/lone-rail';
import { AccountCaller } from './account-caller';

const PAYEE = { id: 'x', externalId: 'x', email: null, name: null, country: null };
const VISIT = { returnUrl: 'https://shop.example', refreshUrl: 'https://pay.example', locale: null };

describe('asking a rail about accounts', () => {
  beforeAll(() => setLogLevel('silent'));

  let closed: string[] = [];
  beforeEach(() => (closed = []));
  const callerOf = (rail: Partial<Rail & ReadsAccounts & OpensAccounts & HostsOnboarding>): AccountCaller => {
    const execute = async (_: string, values: unknown[] = []): Promise<number> => closed.push(String(values[1]));
    const { rails, calls } = loneRail(rail, { db: { execute } });
    return new AccountCaller(rails, calls);
  };
  const request = { key: 'k', payee: PAYEE };

  test('a rail without the power says so, and nobody waits for it', async () => {
    const caller = callerOf({});
    expect(await caller.read('toy', 'a')).toMatchObject({ kind: 'unconfirmed' });
    expect(await caller.open('toy', request)).toMatchObject({ kind: 'refused', failure: 'permanent' });
    expect(await caller.onboardingLink('toy', 'a', VISIT)).toMatchObject({ kind: 'refused', failure: 'permanent' });
    expect(await caller.open('nobody', request)).toMatchObject({ kind: 'unknown' });
  });

  test('what a rail cannot tell now is heard as that, and it is then left alone', async () => {
    const answer: AccountAnswer = { kind: 'not_now', afterSeconds: 60, detail: 'too many calls' };
    const readAccount = jest.fn(async () => answer);
    const caller = callerOf({ readAccount });
    expect(await caller.read('toy', 'a')).toEqual(answer);
    expect(await caller.open('toy', request)).toMatchObject({ kind: 'not_now' });
    expect(await caller.read('toy', 'a')).toMatchObject({ kind: 'not_now' });
    expect(readAccount).toHaveBeenCalledTimes(1);
  });

  test('our own database in trouble is no answer of the rail', async () => {
    const away = new DatabaseTrouble('away', new Error('Connection terminated'));
    const readAccount = async (): Promise<never> => Promise.reject(away);
    await expect(callerOf({ readAccount }).read('toy', 'a')).rejects.toBe(away);
  });

  test('an error that holds the link is not repeated', async () => {
    const onboardingLink = async (): Promise<never> => {
      throw new TypeError('Invalid URL: https://pay.example/secret');
    };
    const answer = await callerOf({ onboardingLink }).onboardingLink('toy', 'a', VISIT);
    expect(answer).toEqual({ kind: 'unknown', detail: 'the rail threw TypeError' });
  });

  test('a key for accounts that the provider does not know keeps no payout back', async () => {
    const refused = { kind: 'refused', failure: 'credentials', reason: 'bad key' } as const;
    const caller = callerOf({ openAccount: async () => refused, onboardingLink: async () => refused });
    expect(await caller.open('toy', request)).toEqual(refused);
    expect(await caller.onboardingLink('toy', 'a', VISIT)).toEqual(refused);
    expect(closed).toEqual([]);
  });
});
