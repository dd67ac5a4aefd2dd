import type { Client, WithdrawPolicy } from '#libs/clients';
import { ForeseeWithdrawal, staysOwed, type WithdrawOutlook } from './foresee-withdrawal';

const NOW = new Date('2026-11-25T12:00:00Z');
const LATER = new Date('2026-11-25T12:01:00Z');

describe('what stands against a withdrawal', () => {
  const seen = (withdrawPolicy: WithdrawPolicy, of: Partial<Client> = {}, cools = false): Promise<WithdrawOutlook> =>
    new ForeseeWithdrawal(
      { waitsUntil: () => (cools ? LATER : null) } as never,
      { secondsToNextWithdrawal: async () => 60 } as never,
      { now: () => NOW } as never,
    ).run({ status: 'active', prepaid: false, withdrawPolicy, ...of } as Client, { id: 'p' } as never, [500, 3_000]);

  test.each([
    [null, {}],
    [null, { minCents: 3_000, maxCents: 3_000 }],
    ['withdrawals_disabled', { enabled: false, minCents: 9_000 }],
    ['below_minimum_withdrawal', { minCents: 3_001 }],
    ['above_maximum_withdrawal', { minCents: 501, maxCents: 2_999 }],
    ['withdrawal_frequency_limited', { minIntervalSeconds: 90 }],
    ['below_minimum_withdrawal', { minCents: 3_001, minIntervalSeconds: 90 }],
    [null, { enabled: false, perSource: { portal: { enabled: true } } }],
    ['withdrawals_disabled', { perSource: { portal: { enabled: false } } }],
    [null, { perSource: { withdraw: { enabled: false } } }],
  ])('is %s by %j', async (against, policy) => {
    expect((await seen(policy)).against).toBe(against);
  });

  test('names the amount, and the moment', async () => {
    expect(await seen({ minCents: 4_000 })).toMatchObject({ minCents: 4_000 });
    expect((await seen({ minIntervalSeconds: 90 })).nextAt).toEqual(LATER);
    expect(await seen({}, {}, true)).toMatchObject({ against: 'cooling', nextAt: LATER });
  });

  test('is that its client asks for nothing itself now', async () => {
    expect((await seen({}, { status: 'suspended' })).against).toBe('client_suspended');
  });

  test('is no maximum where a wallet may cover less', async () => {
    expect((await seen({ maxCents: 400 }, { prepaid: true })).against).toBeNull();
  });
});

test.each([
  [false, 500, false],
  [true, 499, false],
  [true, 901, false],
  [false, 901, true],
])('stays where it is, %s, of %s cents outside of the limits, prepaid %s', (stays, cents, prepaid) => {
  expect(staysOwed(cents, { minCents: 500, maxCents: 900 }, { prepaid })).toBe(stays);
});
