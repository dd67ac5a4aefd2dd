import { wordsIn } from '#libs/payee-words';
import type { Payout } from '#libs/payout-rules';
import { identityPage } from './identity';

test.each(['cannot', 'refused'] as const)('speaks of the payment, and of no details, where its check is %s', (step) => {
  const payout = { id: 'one', amountCents: 1_000, currency: 'USD' } as Payout;
  const page = identityPage({
    ...{ words: wordsIn('en'), nonce: 'n', brand: {}, from: 'Brass', form: 'f' },
    ...{ payout, step, reason: null },
  });
  expect(page).toContain('This payment cannot go on yet. Please contact Brass.');
  expect(page).not.toContain('details');
});
