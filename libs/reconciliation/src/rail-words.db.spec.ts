/** A rail may say anything: what it says of money is applied, and its words cannot prevent that. */
import { randomBytes } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import type { SubmitFact } from '#libs/rail-kit';
import { compare, startReconciledWorld } from '../testing/src';

describe('the words of a rail', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  beforeEach(() => world.rail.reset());
  afterAll(() => world.stop());

  const sent = async (fact: SubmitFact): Promise<Payout> => {
    world.rail.answers = () => fact;
    const payout = await world.pay(client, await world.payee(client));
    await world.drive(payout.id);
    world.rail.knows.set(payout.railKey, fact);
    await world.drive(payout.id);
    return world.payout(payout.id);
  };

  test.each([
    ['a NUL in the reference', settled('a\u0000b'), 'paid'],
    ['half a character in the reference', settled('a\ud83d'), 'paid'],
    ['a NUL in the reason', { kind: 'refused', failure: 'permanent', reason: 'no\u0000' } as const, 'failed'],
    [
      'half a character in the reason',
      { kind: 'refused', failure: 'permanent', reason: 'no \ud83d' } as const,
      'failed',
    ],
    [
      'a NUL in the link',
      { kind: 'awaiting_payee', providerRef: 'r', claimUrl: 'https://a.example/\u0000' } as const,
      'submitted',
    ],
    ['a date that is none', { kind: 'settled', providerRef: 'x', settledAt: new Date(NaN) } as const, 'paid'],
    ['a reference of 1 MB', settled('x'.repeat(1_000_000)), 'paid'],
  ])('%s', async (_, fact, status) => {
    const payout = await sent(fact);
    expect(payout).toMatchObject({ status, ...(fact.kind === 'awaiting_payee' ? { acceptedAttempt: 1 } : {}) });
  });

  const long = randomBytes(2_000).toString('hex'); // and cannot be packed
  test.each([
    ['short', { providerRef: 'a' }],
    ['with a NUL', { providerRef: 'a\u0000' }],
    ['a long reference', { providerRef: long }],
    ['a long code', { railKey: long }],
    ['all of it long', { providerRef: long, railKey: long, currency: long }],
  ])('a line in a list of movements does not hide the others: %s', async (_, words) => {
    const payout = await sent(accepted('r1'));
    const now = systemClock.now();
    world.rail.moved = [
      { railKey: 'nobody', providerRef: 'a', amountCents: 5, currency: 'USD', movedAt: now, ...words },
      { railKey: payout.railKey, providerRef: 'other', amountCents: 999, currency: 'USD', movedAt: now },
    ];
    await compare(world);
    const drift = await world.db.rows('SELECT * FROM drift WHERE payout_id = $1', [payout.id]);
    expect(drift).not.toEqual([]);
  });
});
