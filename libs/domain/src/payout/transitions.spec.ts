import {
  FAILURE_KINDS,
  IllegalTransition,
  isFinal,
  nextStatus,
  PAYOUT_STATUSES,
  type PayoutStatus,
  type PayoutTrigger,
  TRANSITIONS,
} from './transitions';

const TRIGGERS = [...new Set(TRANSITIONS.map(({ on }) => on))] as PayoutTrigger[];
const FROM = [null, ...PAYOUT_STATUSES];
const KINDS = [null, ...FAILURE_KINDS];

const legal = (from: PayoutStatus | null, on: PayoutTrigger, kind: (typeof KINDS)[number]) =>
  TRANSITIONS.find((row) => row.from === from && row.on === on && (!('only' in row) || row.only === kind));

describe('transitions', () => {
  const pairs = FROM.flatMap((from) => TRIGGERS.flatMap((on) => KINDS.map((kind) => [from, on, kind] as const)));

  test.each(pairs)('from %s on %s with failure %s', (from, on, kind) => {
    const row = legal(from, on, kind);
    if (row) expect(nextStatus(from, on, kind)).toBe(row.to);
    else expect(() => nextStatus(from, on, kind)).toThrow(IllegalTransition);
  });

  test.each<[PayoutStatus, PayoutTrigger, string]>([
    ['paid', 'settle', "that is paid cannot take the step 'settle': that is for one that is submitted."],
    ['failed', 'retry', "cannot take the step 'retry': that is for one that is failed for a transient cause."],
    ['submitted', 'claim', "that is submitted cannot take the step 'claim' as it stands now. Read it again."],
  ])('what is in the way of %s on %s is said', (from, on, words) => {
    expect(new IllegalTransition(from, on).message).toContain(words);
  });

  test('no pair of status and trigger has two rows', () => {
    const keys = TRANSITIONS.map(({ from, on }) => `${from} ${on}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('every status can be reached, and only ends have no way out', () => {
    const reached = new Set(TRANSITIONS.map(({ to }) => to));
    expect([...reached].sort()).toEqual([...PAYOUT_STATUSES].sort());
    const left = new Set<PayoutStatus | null>(TRANSITIONS.map(({ from }) => from));
    expect(PAYOUT_STATUSES.filter((status) => !left.has(status))).toEqual(['returned']);
  });

  test('money that landed is never failed, and nothing leaves a final status', () => {
    expect(TRANSITIONS.filter(({ from }) => from === 'paid').map(({ to }) => to)).toEqual(['paid', 'returned']);
    expect(isFinal('returned', null)).toBe(true);
    expect(isFinal('failed', 'permanent')).toBe(true);
    expect(isFinal('failed', 'transient')).toBe(false);
    const found: PayoutTrigger[] = ['found_landed', 'found_returned', 'give_up'];
    for (const on of TRIGGERS)
      if (found.includes(on)) expect(nextStatus('failed', on, 'permanent')).toBe('failed');
      else expect(() => nextStatus('failed', on, 'permanent')).toThrow(IllegalTransition);
  });
});
