/** The limits of a withdrawal are compared currency by currency: what is outside of them stays owed, and one that is within goes out. */
import type { Client, WithdrawPolicy } from '#libs/clients';
import { WithdrawGates } from './withdraw-gates';

describe('the limits of a withdrawal of two currencies', () => {
  const gates = new WithdrawGates({ isRedirected: () => false } as never, {} as never);
  const decided = (withdrawPolicy: WithdrawPolicy, cents: number[]) =>
    gates.withdrawal('withdraw').decide({
      client: { status: 'active', prepaid: false, withdrawPolicy } as Client,
      payee: { payable: true },
      owed: cents.map((of, place) => ({ currency: place === 0 ? 'USD' : 'EUR', cents: of })),
      waiting: false,
      secondsToNext: 0,
    } as never);

  test.each([
    [{ maxCents: 1_000 }, [5_000, 900]],
    [{ minCents: 1_000 }, [900, 5_000]],
    [{ minCents: 500, maxCents: 1_000 }, [5_000, 500]],
  ])('%j refuse none of %j: the other currency is within', (policy, cents) => {
    expect(decided(policy, cents)).toMatchObject({ currencies: ['USD', 'EUR'], refusal: null });
  });

  test.each([
    ['above_maximum_withdrawal', { maxCents: 1_000 }, [5_000, 1_001]],
    ['below_minimum_withdrawal', { minCents: 1_000 }, [900, 999]],
    ['above_maximum_withdrawal', { minCents: 500, maxCents: 1_000 }, [5_000, 499]],
  ])('%s: %j beside %j', (code, policy, cents) => {
    expect(() => decided(policy, cents)).toThrow(expect.objectContaining({ code }));
  });
});
