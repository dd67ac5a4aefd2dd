import { PAYOUT_STATUSES } from './transitions';
import { statusWord } from './status-words';

const word = (
  status: (typeof PAYOUT_STATUSES)[number],
  custody: 'custodial' | 'claim' | 'swap' | null,
  claimed = false,
) => statusWord({ status, custody, claimed }, 2);

describe('status words', () => {
  test.each(PAYOUT_STATUSES)('version 1 says %s as it is stored', (status) => {
    expect(statusWord({ status, custody: 'claim', claimed: true }, 1)).toBe(status);
  });

  test('version 2 says sent until the payee has to act', () => {
    expect([word('requested', null), word('authorized', 'claim'), word('submitted', 'custodial')]).toEqual([
      'sent',
      'sent',
      'sent',
    ]);
    expect([word('submitted', 'claim'), word('submitted', 'swap')]).toEqual(['awaiting_withdraw', 'awaiting_withdraw']);
  });

  test('a claim is sent once it is claimed, a swap awaits its payee until it settles', () => {
    expect([word('submitted', 'claim', true), word('submitted', 'swap', true)]).toEqual(['sent', 'awaiting_withdraw']);
  });

  test.each(['paid', 'failed', 'returned', 'held'] as const)('%s is the same word in both versions', (status) => {
    expect(word(status, 'swap')).toBe(status);
  });
});
