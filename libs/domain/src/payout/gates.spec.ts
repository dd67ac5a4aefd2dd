import { type AmountGates, firstBlocker, identityBlockers, isOverDailyCap, type WhoGates } from './gates';
import { statusReason } from './reasons';

const serves = { servesCountry: true, servesCurrency: true, checksAsAsked: true };
const rail = { name: 'custodial_a', implemented: true, configured: true, ...serves };
const who: WhoGates = {
  testMode: false,
  payee: { email: 'a@b.co', country: 'US', name: 'Ada', blocked: false, payable: true },
  countryBlocked: false,
  rail,
  allowList: null,
  accountCountry: null,
};
const amount: AmountGates = {
  amountCents: 1000,
  singleCapCents: 1000,
  dailyCapCents: 5000,
  usedTodayCents: 4000,
  floorCents: 1000,
  bypassFloor: false,
  notTaken: null,
  availableCents: null,
};

/** In the documented order: each row blocks by itself, and before every row below it. */
const LADDER: [string, Partial<WhoGates>, Partial<AmountGates>][] = [
  ['missing_email', { payee: { ...who.payee, email: null } }, {}],
  ['missing_country', { payee: { ...who.payee, country: null } }, {}],
  ['missing_name', { payee: { ...who.payee, name: null } }, {}],
  ['route_blocked', { payee: { ...who.payee, blocked: true } }, {}],
  ['route_blocked', { countryBlocked: true }, {}],
  ['no_rail', { rail: null }, {}],
  ['provider_custodial_a_not_implemented', { rail: { ...rail, implemented: false } }, {}],
  ['provider_not_configured', { rail: { ...rail, configured: false } }, {}],
  ['rail_not_allowed', { allowList: ['swap_rail'] }, {}],
  ['provider_not_supported', { rail: { ...rail, servesCountry: false } }, {}],
  ['country_not_supported_by_provider', { accountCountry: 'DE' }, {}],
  ['currency_not_supported', { rail: { ...rail, servesCurrency: false } }, {}],
  ['not_payable', { payee: { ...who.payee, payable: false } }, {}],
  ['cap_exceeded_single', {}, { singleCapCents: 999 }],
  ['cap_exceeded_daily', {}, { usedTodayCents: 4001 }],
  ['below_min_payout', {}, { floorCents: 1001 }],
  ['amount_not_supported', {}, { notTaken: '1000 is over 900' }],
  ['insufficient_funds', {}, { availableCents: 999 }],
];

describe('gates', () => {
  test('nothing stands in the way of a payout that is in order', () => {
    expect(firstBlocker(who, amount)).toBeNull();
    expect(firstBlocker(who, { ...amount, availableCents: 1000 })).toBeNull();
  });

  test.each(LADDER)('%s blocks by itself', (reason, someone, some) => {
    const blocker = firstBlocker({ ...who, ...someone }, { ...amount, ...some });
    expect(blocker?.reason).toBe(reason);
    expect(blocker?.to).toBe(reason.endsWith('not_implemented') ? 'failed' : 'held');
  });

  test('of two blockers the one higher on the ladder is the reason', () => {
    const everyone = LADDER.reduce((facts, [, someone]) => merged(facts, someone), who);
    const all = LADDER.reduce((facts, [, , some]) => ({ ...facts, ...some }), amount);
    expect(firstBlocker(everyone, all)?.reason).toBe('missing_email');
    LADDER.forEach(([reason, someone, some], index) => {
      for (const [below, otherSomeone, otherSome] of LADDER.slice(index + 1)) {
        // Two rows about the same rail or payee cannot be merged when one of them takes the rail away.
        if (someone.rail === null || otherSomeone.rail === null) continue;
        const blocker = firstBlocker(merged(merged(who, someone), otherSomeone), { ...amount, ...some, ...otherSome });
        expect([reason, below, blocker?.reason]).toEqual([reason, below, reason]);
      }
    });
  });

  test('in test mode no legal name is asked for', () => {
    const nameless = { ...who, testMode: true, payee: { ...who.payee, name: null } };
    expect(firstBlocker(nameless, amount)).toBeNull();
  });

  test.each([
    [1000, 4001, false],
    [5000, 1, false],
    [5001, 0, true],
  ])('of %s cents, with %s used of 5000, it is known whether any day has room for them', (cents, used, isOver) => {
    const free = { ...amount, singleCapCents: 10_000 };
    const blocker = firstBlocker(who, { ...free, amountCents: cents, usedTodayCents: used });
    expect(isOverDailyCap(cents, statusReason('cap_exceeded_daily', blocker?.detail))).toBe(isOver);
  });

  test('a release bypasses the floor and nothing else', () => {
    expect(firstBlocker(who, { ...amount, floorCents: 2000, bypassFloor: true })).toBeNull();
    expect(firstBlocker(who, { ...amount, singleCapCents: 1, bypassFloor: true })?.reason).toBe('cap_exceeded_single');
    const notTaken = { ...amount, notTaken: '1000 is over 900', bypassFloor: true };
    expect(firstBlocker(who, notTaken)).toMatchObject({ reason: 'amount_not_supported', detail: '1000 is over 900' });
  });

  test('readiness hears of every blocker at once', () => {
    const nobody = { ...who, payee: { email: null, country: null, name: null, blocked: false, payable: false } };
    expect(identityBlockers(nobody).map(({ reason }) => reason)).toEqual([
      'missing_email',
      'missing_country',
      'missing_name',
      'not_payable',
    ]);
  });
});

function merged(facts: WhoGates, change: Partial<WhoGates>): WhoGates {
  const payee = change.payee ? differing(who.payee, change.payee, facts.payee) : facts.payee;
  const nextRail = change.rail && facts.rail ? differing(rail, change.rail, facts.rail) : facts.rail;
  return { ...facts, ...change, payee, rail: change.rail === null ? facts.rail : nextRail };
}

/** Only what the change changes, so that two changes of one object add up. */
function differing<T extends object>(usual: T, changed: T, onto: T): T {
  const keys = (Object.keys(usual) as (keyof T)[]).filter((key) => usual[key] !== changed[key]);
  return keys.reduce((result, key) => ({ ...result, [key]: changed[key] }), onto);
}
