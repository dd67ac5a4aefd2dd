import { fingerprintOf, railKeyOf } from './idempotency';
import { changeOf, type Payout, withStep } from './payout';
import { payoutEventPayload } from './payout-event';

const wish = { payeeId: 'p', amountCents: 1, currency: 'USD', ref: null, reason: null };
const payout = {
  id: 'x',
  status: 'authorized',
  sequence: 2,
  amountCents: 1000,
  failureKind: null,
  custody: 'claim',
  claimedAt: null,
} as Payout;

describe('a payout takes steps', () => {
  test('each with its place in the trail and the payout as it stood after it', () => {
    const first = withStep(changeOf(payout), { on: 'submit', actor: 'system', facts: { toSend: true } });
    const second = withStep(first, {
      on: 'refuse',
      actor: 'rail',
      failureKind: 'transient',
      statusReason: 'rail_refused: x',
    });
    expect(second.before).toMatchObject({ status: 'authorized', sequence: 2 });
    expect(second.trail.map(({ type, fromStatus, after }) => [type, fromStatus, after.status, after.sequence])).toEqual(
      [
        ['submit', 'authorized', 'submitted', 3],
        ['refuse', 'submitted', 'failed', 4],
      ],
    );
    expect(second.after).toMatchObject({ failureKind: 'transient', statusReason: 'rail_refused: x', toSend: true });
    expect(withStep(second, { on: 'retry', actor: 'client' }).after).toMatchObject({
      failureKind: null,
      statusReason: null,
    });
  });

  test('only those the table has', () => {
    expect(() => withStep(changeOf(payout), { on: 'settle', actor: 'rail' })).toThrow('cannot take the step');
  });

  test('and each step is told in the words of the client’s version', () => {
    const { trail } = withStep(changeOf(payout), { on: 'submit', actor: 'system' });
    const at = new Date('2026-01-01T00:00:00Z');
    const told = (version: 1 | 2) => payoutEventPayload(trail[0] as (typeof trail)[0], version, at);
    expect([told(1).status, told(2).status]).toEqual(['submitted', 'awaiting_withdraw']);
    expect(told(1)).not.toHaveProperty('restoredCents');
    const returned = {
      ...trail[0],
      after: { ...payout, status: 'returned', liftingFeeCents: 25 },
    } as (typeof trail)[0];
    expect(payoutEventPayload(returned, 1, at)).toMatchObject({ liftingFeeCents: 25, restoredCents: 975 });
  });
});

describe('idempotency', () => {
  test('any part of the payment makes another fingerprint', () => {
    const others = [
      { payeeId: 'q' },
      { amountCents: 2 },
      { currency: 'EUR' },
      { ref: '' },
      { reason: 'x' },
      { ref: 'x' },
    ];
    const prints = [wish, ...others.map((other) => ({ ...wish, ...other }))].map((one) =>
      fingerprintOf(one).toString('hex'),
    );
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('the rail code is the same for ever, and another for any other deployment, client or key', () => {
    const code = railKeyOf('d', 'c', 'k');
    expect(code).toMatch(/^gw[0-9a-f]{48}$/);
    expect(railKeyOf('d', 'c', 'k')).toBe(code);
    expect(new Set([code, railKeyOf('d', 'ck', ''), railKeyOf('dc', '', 'k'), railKeyOf('d', '', 'ck')]).size).toBe(4);
  });
});
