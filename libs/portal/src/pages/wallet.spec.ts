import { wordsIn } from '#libs/payee-words';
import type { Payment } from '../use-cases/read-payments';
import type { Wallet } from '../use-cases/read-wallet';
import { walletPage, type WalletPage } from './wallet';
import { withdrawPage } from './withdraw';

const FRAME = { words: wordsIn('en'), nonce: 'n', brand: {}, from: 'Brass', form: 'f' };
const AT = new Date('2026-11-25T12:00:00Z');
const OWED = {
  ...{ payeeId: 'p', currency: 'USD', withdrawableCents: 5_000, onTheWayCents: 0, actionNeededCents: 0 },
  ...{ heldBelowMinimumCents: 0, landedCents: 0 },
};
const PAYMENT: Payment = {
  ...{ amountCents: 5_000, currency: 'USD', ref: null, state: 'on_the_way', custody: 'custodial', notice: null },
  ...{ onward: null, isAskedAgain: false, at: AT, withdrawnAt: AT, arrival: null },
  ...{ consolidates: true, supersededBy: null },
};
const walletOf = (of: object): Wallet =>
  ({
    ...{ payee: { payable: true, blocked: false, email: 'ada@example.com' }, balances: [OWED], account: null },
    ...{ custody: 'custodial', partner: null, setUp: null, canChange: false, choosesLater: false },
    ...{ payments: [], older: null, ...of },
  }) as never;

describe('the wallet', () => {
  const shown = (of: object, withdrawn: WalletPage['withdrawn'] = null): string =>
    walletPage({ ...FRAME, wallet: walletOf(of), withdrawn, isOlder: false });

  test('says whom to ask where nothing is theirs to do, and they cannot be paid', () => {
    const payee = { payable: false, blocked: false };
    expect(shown({ payee, custody: null })).toContain('Please ask Brass what to do.');
    expect(shown({})).not.toContain('Please ask Brass what to do.');
  });

  test.each([
    ['On its way to your account: $50.00', 'custodial'],
    ['We are preparing it: $50.00.', 'claim'],
    ['We are preparing it: $50.00.', 'swap'],
  ] as const)('says of what was just withdrawn: %s (custody %s)', (said, custody) => {
    expect(shown({ payments: [{ ...PAYMENT, custody }] }, 'all')).toContain(said);
    expect(shown({ custody, payments: [{ ...PAYMENT, custody: null }] }, 'all')).toContain(said);
  });

  test('does not offer once more what another payment took over', () => {
    const over = { ...PAYMENT, state: 'not_paid', notice: 'not_taken' };
    expect(shown({ payments: [over] })).toContain('then withdraw again');
    expect(shown({ payments: [{ ...over, supersededBy: 'other' }] })).not.toContain('then withdraw again');
  });

  test('calls what left by itself theirs again, and not withdrawn', () => {
    const over = { ...PAYMENT, state: 'not_paid', notice: 'not_taken', withdrawnAt: null } as const;
    expect(shown({ payments: [over] }, 'all')).toContain('the money is still yours');
    expect(shown({ payments: [over] }, 'all')).not.toContain('It was not paid, and is still yours.');
  });
});

test.each([
  [false, 'ada@example.com', 'Next you choose'],
  [true, 'Next you choose how you get it.', 'ada@example.com'],
])('what is about to be withdrawn goes where it is known to go: chosen later %s', (choosesLater, said, unsaid) => {
  const page = withdrawPage({ ...FRAME, wallet: walletOf({ custody: 'claim', choosesLater }), isChanged: false });
  expect(page).toContain(said);
  expect(page).not.toContain(unsaid);
});
