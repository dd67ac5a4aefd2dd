import { accountFact } from './mock.accounts';

test.each([
  [true, 'rejected.fraud'],
  [false, 'The photo was blurred.'],
  [false, null],
])('an account is rejected for good, %s, for the reason %j', (isForGood, kycReason) => {
  const kept = { kyc: 'rejected', kycReason, onboarding: 'restricted', name: null } as const;
  const fact = accountFact('acct_one', kept);
  expect(fact.kind === 'account' && fact.details?.isRejectedForGood === true).toBe(isForGood);
});
