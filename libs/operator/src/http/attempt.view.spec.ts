import { lastAnswerView, lastAttemptView, type PayoutDetail } from './attempt.view';

type Line = [type: string, actor: string, more?: object];

/** When its lines were written: each a minute after the one before. */
const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 14, 9, minute));
const iso = (minute: number): string => at(minute).toISOString();

function detail(payout: object, lines: Line[]): PayoutDetail {
  const known = {
    railKey: 'gw1',
    status: 'submitted',
    attempt: 1,
    toSend: false,
    openAttempts: [],
    legs: [],
    acceptedAttempt: null,
  };
  const trail = lines.map(([type, actor, more], index) => ({
    ...{ type, actor, sequence: index + 1, createdAt: at(index + 1), statusReason: null, failureKind: null },
    ...more,
  }));
  return { payout: { ...known, ...payout }, trail: { lines: trail, leftOut: 0 } } as unknown as PayoutDetail;
}

const SENT: Line[] = [
  ['create', 'client'],
  ['route', 'system'],
  ['submit', 'system'],
];
const NO = { statusReason: 'rail_refused: account_closed', failureKind: 'transient' };

test('a payout that was never sent has neither', () => {
  const unsent = detail({ status: 'held', attempt: 0 }, [
    ['create', 'client'],
    ['block', 'system', NO],
  ]);
  expect([lastAttemptView(unsent), lastAnswerView(unsent)]).toEqual([null, null]);
});

test('a send whose outcome nobody knows is open since it was taken on, and the rail has said nothing', () => {
  const openAttempts = [
    { attempt: 1, takenAt: iso(3) },
    { attempt: 2, takenAt: iso(8) },
  ];
  const stuck = detail({ attempt: 2, openAttempts }, SENT);
  expect(lastAttemptView(stuck)).toEqual({ number: 2, leg: null, code: 'gw1', open: true, sentAt: iso(8) });
  expect(lastAnswerView(stuck)).toBeNull();
});

test('what was accepted, and not told of since, is with its rail', () => {
  const accepted = detail({ acceptedAttempt: 1 }, SENT);
  expect(lastAttemptView(accepted)).toMatchObject({ number: 1, open: false, sentAt: iso(3) });
  expect(lastAnswerView(accepted)).toEqual({
    answer: 'accepted',
    statusReason: null,
    failureKind: null,
    heardAt: null,
  });
  const waiting = detail({ acceptedAttempt: 1 }, [...SENT, ['await_payee', 'rail']]);
  expect(lastAnswerView(waiting)).toMatchObject({ answer: 'awaiting_payee', heardAt: iso(4) });
});

test.each<[string, Line[], string]>([
  ['settled', [['settle', 'rail']], 'paid'],
  [
    'bounced',
    [
      ['settle', 'rail'],
      ['bounce', 'rail'],
    ],
    'returned',
  ],
  ['claimed', [['claim', 'payee']], 'submitted'],
  ['refused', [['refuse', 'rail', NO]], 'failed'],
  ['refused', [['block', 'rail', NO]], 'held'],
  [
    'refused',
    [
      ['refuse', 'rail', NO],
      ['give_up', 'operator', { statusReason: 'given_up' }],
    ],
    'failed',
  ],
])('%s: %j', (answer, lines, status) => {
  const { statusReason, failureKind } = answer === 'refused' ? NO : { statusReason: null, failureKind: null };
  expect(lastAnswerView(detail({ status }, [...SENT, ...lines]))).toMatchObject({ answer, statusReason, failureKind });
});

test('a try that is to be made has no time, and what the rail said of the one before stands until then', () => {
  const refused: Line[] = [...SENT, ['refuse', 'rail', NO], ['retry', 'operator']];
  const toSend = detail({ toSend: true }, refused);
  expect(lastAttemptView(toSend)).toMatchObject({ number: 1, open: false, sentAt: null });
  expect(lastAnswerView(toSend)).toMatchObject({ answer: 'refused', heardAt: iso(4) });
  const accepted = detail({ attempt: 2, acceptedAttempt: 2 }, refused);
  expect(lastAttemptView(accepted)).toMatchObject({ number: 2, sentAt: iso(5) });
  expect(lastAnswerView(accepted)).toMatchObject({ answer: 'accepted' });
});

test('a later call goes by its own code, and what gates and operators say is no answer of the rail', () => {
  const legs = [{ name: 'payout', key: 'gw1-payout', attempt: 2, sends: 1, firstSentAt: iso(6) }];
  const second = detail({ attempt: 2, acceptedAttempt: 1, legs }, SENT);
  expect(lastAttemptView(second)).toEqual({
    number: 2,
    leg: 'payout',
    code: 'gw1-payout',
    open: false,
    sentAt: iso(6),
  });
  const byHand = detail({ status: 'paid' }, [...SENT, ['block', 'system', NO], ['settle', 'operator']]);
  expect(lastAnswerView(byHand)).toBeNull();
});
