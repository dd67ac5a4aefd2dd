/** The last send of a payout, and what its rail said last, as far as either is kept. */
import { ApiProperty } from '@nestjs/swagger';
import { FAILURE_KINDS, type FailureKind, type PayoutTrigger } from '#libs/domain';
import type { Leg, Payout } from '#libs/payout-rules';
import type { ReadPayout } from '#libs/payouts';

const time = { type: String, nullable: true, format: 'date-time' } as const;
const text = { type: String, nullable: true } as const;

export type PayoutDetail = Pick<Awaited<ReturnType<ReadPayout['ofAnybody']>>, 'payout' | 'trail'>;
type Line = PayoutDetail['trail']['lines'][number];

export class LastAttemptView {
  @ApiProperty({ type: 'integer', description: 'Which of all its sends it was; the first is 1.', example: 2 })
  number: number;
  @ApiProperty({
    ...text,
    description: "The rail's word for the call, if it was one of `legs`; null: the first call.",
    example: null,
  })
  leg: string | null;
  @ApiProperty({ description: 'What the rail knows that call by: the same on every try.', example: 'gw2f0c8f4e' })
  code: string;
  @ApiProperty({ description: 'Nobody knows yet what became of it: its rail is asked.', example: true }) open: boolean;
  @ApiProperty({
    ...time,
    description:
      'When it was taken on, right before the call. Of one that is not open any more: when the payout was put under way for it. Null while another send waits to be made.',
  })
  sentAt: string | null;
}

const SAID = {
  await_payee: 'awaiting_payee',
  claim: 'claimed',
  settle: 'settled',
  land: 'settled',
  bounce: 'bounced',
  block: 'refused',
  refuse: 'refused',
} as const satisfies Partial<Record<PayoutTrigger, string>>;
const ANSWERS = ['accepted', 'awaiting_payee', 'claimed', 'settled', 'bounced', 'refused'] as const;

export class LastAnswerView {
  @ApiProperty({ enum: ANSWERS, example: 'refused' }) answer: (typeof ANSWERS)[number];
  @ApiProperty({
    ...text,
    description: "What its refusal counts as, and the rail's own words: `code: detail`.",
    example: 'rail_refused: account_closed',
  })
  statusReason: string | null;
  @ApiProperty({ enum: FAILURE_KINDS, nullable: true, description: 'The kind of its refusal.', example: 'permanent' })
  failureKind: FailureKind | null;
  @ApiProperty({ ...time, description: 'When that was heard; null where only that it was accepted is kept.' })
  heardAt: string | null;
}

export function lastAttemptView({ payout, trail }: PayoutDetail): LastAttemptView | null {
  const { attempt: number, railKey, openAttempts, legs } = payout;
  if (number === 0) return null;
  const leg = legs.find((one) => one.attempt === number);
  const open = openAttempts.find((one) => one.attempt === number);
  return {
    ...{ number, leg: leg?.name ?? null, code: leg?.key ?? railKey },
    ...{ open: open !== undefined, sentAt: open?.takenAt ?? begunAt(payout, leg, trail.lines) },
  };
}

function begunAt({ toSend }: Payout, leg: Leg | undefined, lines: Line[]): string | null {
  if (leg?.sends === 1) return leg.firstSentAt;
  return toSend ? null : (beginning(lines)?.createdAt.toISOString() ?? null);
}

export function lastAnswerView({ payout, trail }: PayoutDetail): LastAnswerView | null {
  const told = trail.lines.findLast(isTold);
  const since = beginning(trail.lines)?.sequence ?? 0;
  if (isAccepted(payout) && (told?.sequence ?? 0) < since)
    return { answer: 'accepted', statusReason: null, failureKind: null, heardAt: null };
  if (!told) return null;
  const { type, statusReason, failureKind, createdAt } = told;
  return { answer: SAID[type as keyof typeof SAID], statusReason, failureKind, heardAt: createdAt.toISOString() };
}

const isAccepted = ({ status, acceptedAttempt }: Payout): boolean => status === 'submitted' && acceptedAttempt !== null;

/** A payee's claim is also news of its rail. Findings of operators, and holds by gates, are not. */
const isTold = ({ type, actor }: Line): boolean => type in SAID && (actor === 'rail' || type === 'claim');

/** A payout that the rail reports as under way was sent before that report. */
const beginning = (lines: Line[]): Line | undefined =>
  lines.findLast(({ type, actor }) => (type === 'submit' || type === 'retry') && actor !== 'rail');
