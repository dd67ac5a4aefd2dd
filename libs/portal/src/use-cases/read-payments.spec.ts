import type { ListedPayout } from '#libs/payouts';
import { type Payment, ReadPayments } from './read-payments';
import type { Owner } from './visit-portal';

const NOW = new Date('2026-11-25T12:00:00Z');
const LISTED = {
  ...{ id: 'one', amountCents: 1_000, currency: 'USD', ref: null, source: 'portal', provider: 'rail' },
  ...{
    custody: 'custodial',
    claimUrl: null,
    claimedAt: null,
    submittedAt: null,
    settledAt: null,
    statusReason: null,
    failureKind: null,
  },
  ...{ consolidates: true, supersededBy: null, createdAt: NOW, updatedAt: NOW },
};

describe('a payment in its payee’s list', () => {
  const client = { id: 'c', status: 'active' };
  const payee = { id: 'p', blocked: false, payable: true, provider: 'rail' };
  const OWNER = { client, payee } as never;
  const shown = async (
    of: Partial<ListedPayout>,
    traits: object = { arrivesWithinDays: 3 },
    owner: Owner = OWNER,
  ): Promise<Payment> => {
    const list = async ({ waitsForPayee }: { waitsForPayee?: true }): Promise<object[]> =>
      waitsForPayee ? [] : [{ ...LISTED, ...of }];
    const { payments } = await new ReadPayments(
      { list, calledPaid: async () => new Set() } as never,
      { traits: () => traits, leadsPayees: () => false } as never,
      {} as never,
      { now: () => NOW } as never,
    ).run(owner, null);
    return payments[0] as Payment;
  };

  test.each([
    ['on_the_way', null, { arrivesWithinDays: 3 }],
    ['paid', NOW, { arrivesWithinDays: 3 }],
    ['paid', null, {}],
  ])('is %s that its rail let go, and that was there at %s', async (state, settledAt, traits) => {
    expect((await shown({ status: 'paid', settledAt }, traits)).state).toBe(state);
  });

  test.each([
    ['requested', false],
    ['authorized', false],
    ['submitted', true],
    ['paid', true],
  ] as const)('has a day to arrive by only once it was sent: %s', async (status, has) => {
    expect((await shown({ status })).arrival !== null).toBe(has);
  });

  test('counts as paid once it should be there, and says so where its rail never tells', async () => {
    const updatedAt = new Date('2026-11-20T12:00:00Z');
    const told = await shown({ status: 'paid', updatedAt });
    expect(told).toMatchObject({ state: 'paid', arrival: { by: new Date('2026-11-23T12:00:00Z'), isLate: true } });
    expect((await shown({ status: 'paid', updatedAt, settledAt: NOW })).arrival).toBeNull();
  });

  test('is neither on hold nor over while the service tries it again', async () => {
    const short = { status: 'failed', failureKind: 'transient', statusReason: 'rail_out_of_funds: empty' } as const;
    expect(await shown(short)).toMatchObject({ state: 'tried_again', notice: 'tried_again' });
    expect((await shown({ ...short, supersededBy: 'other' })).state).toBe('not_paid');
  });

  test('is not asked to be set up for once its account refused it', async () => {
    const held = { status: 'held', statusReason: 'not_payable: closed' } as const;
    expect((await shown(held)).notice).toBe('set_up');
    expect((await shown({ ...held, submittedAt: NOW })).notice).toBe('not_accepted');
  });

  test.each(['requested', 'authorized'] as const)(
    'is on hold while nothing of its payee is sent: %s',
    async (status) => {
      for (const owner of [
        { client: { ...client, status: 'suspended' }, payee },
        { client, payee: { ...payee, blocked: true } },
      ])
        expect(await shown({ status }, {}, owner as never)).toMatchObject({ state: 'held', notice: 'on_hold' });
      expect(await shown({ status })).toMatchObject({ state: 'on_the_way', notice: null });
    },
  );

  test('waits for its account, whatever it was held for, once that is not ready any more', async () => {
    const held = { status: 'held', statusReason: 'below_min_payout', custody: 'custodial' } as const;
    const owner = { client, payee: { ...payee, payable: false } } as never;
    expect((await shown(held)).notice).toBe('too_little');
    expect((await shown(held, {}, owner)).notice).toBe('set_up');
    expect((await shown({ ...held, custody: 'claim' }, {}, owner)).notice).toBe('too_little');
  });

  test.each([
    [true, ['not_payable'], {}],
    [false, [], {}],
    [false, ['not_payable'], { blocked: true }],
  ] as const)('goes on by itself, %s, where its client lets go %j', async (goesOn, autoRelease, of) => {
    const held = { status: 'held', statusReason: 'not_payable' } as const;
    const owner = { client: { ...client, testMode: false, autoRelease }, payee: { ...payee, ...of } };
    expect((await shown(held, {}, owner as never)).goesOn).toBe(goesOn);
  });

  test('was withdrawn by its payee only if they asked for it', async () => {
    expect((await shown({ status: 'submitted', source: 'auto_release' })).withdrawnAt).toBeNull();
    expect((await shown({ status: 'submitted' })).withdrawnAt).toBe(NOW);
  });
});
