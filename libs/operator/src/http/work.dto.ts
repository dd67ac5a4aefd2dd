import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { type Drift, DRIFT_KINDS, type DriftKind, RAIL_WORDS, type RailWord } from '#libs/drift';
import { Check, Flag, Limit, OneOf, Text } from '#libs/http-kit';
import { DISPUTED_ROWS, type DisputedRows } from '#libs/owed';
import { PERIODIC, type Periodic } from '../use-cases/periodic-work';

const number = { type: 'integer', nullable: true } as const;
const text = { type: String, nullable: true } as const;

export class DriftQuery {
  @Limit() limit?: number;
  @ApiProperty({ required: false, description: 'nextCursor of the page before.' })
  @IsOptional()
  @IsString({ message: 'must be sent once' })
  cursor?: string;
  @Text(1, 64, { optional: true, description: 'Only of this rail.' }) rail?: string;
  @ApiProperty({
    type: String,
    required: false,
    enum: ['true', 'false'],
    description: 'Only what is open, or resolved.',
  })
  @IsOptional()
  @Check((value) => value === 'true' || value === 'false', 'must be true or false')
  open?: string;
}

export class DriftView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'custodial_a' }) rail: string;
  @ApiProperty({ description: "The payout's idempotency code at the rail.", example: 'gw2f0c8f4e' }) railKey: string;
  @ApiProperty({
    enum: DRIFT_KINDS,
    description:
      'The rail moved money we know nothing of; another amount or currency; moved it, or has it under way, for a payout that ended here; or did not move what is paid here.',
    example: 'unknown_here',
  })
  kind: DriftKind;
  @ApiProperty({ ...text, format: 'uuid' }) payoutId: string | null;
  @ApiProperty({ ...text, example: 'po_1Nv0FG' }) providerRef: string | null;
  @ApiProperty({ ...number, description: 'What the rail says it moved.', example: 2500 }) railCents: number | null;
  @ApiProperty({ ...text, example: 'USD' }) railCurrency: string | null;
  @ApiProperty({ ...number, description: 'What our payout is over.', example: 2400 }) ourCents: number | null;
  @ApiProperty({ ...text, example: 'USD' }) ourCurrency: string | null;
  @ApiProperty({ ...text, description: 'The status of our payout when it was found.', example: 'paid' })
  ourStatus: string | null;
  @ApiProperty({ type: 'integer', description: 'What the rail moved less what is paid here.', example: 100 })
  differenceCents: number;
  @ApiProperty({
    ...number,
    description:
      'What the bank kept of money that it sent back after its payout ended here; null where none came back.',
    example: null,
  })
  liftingFeeCents: number | null;
  @ApiProperty({
    ...text,
    enum: [...RAIL_WORDS, null],
    description:
      'What its rail said last of that money: it is out, it came back, or nothing of it moved; null if nobody heard.',
    example: 'out',
  })
  said: RailWord | null;
  @ApiProperty({ format: 'date-time' }) foundAt: string;
  @ApiProperty({ ...text, format: 'date-time', description: 'Null while it is open.' }) resolvedAt: string | null;
  @ApiProperty({ ...text, description: 'The operator; null if it went away by itself.', example: 'root' })
  resolvedBy: string | null;
  @ApiProperty({ ...text, example: 'The provider took the money back on the 20th.' }) note: string | null;
}

export class ResolveDriftBody {
  @Text(1, 500, {
    optional: true,
    nullable: true,
    description: 'What was found out.',
    example: 'Paid twice; recovered.',
  })
  note?: string | null;
  @OneOf(DISPUTED_ROWS, {
    optional: true,
    default: 'owed',
    description:
      "Where the money of its payout is: `owed`, its owed rows may leave again, and what was called paid and came back is owed again; `paid`, the payout, or its owed rows, count as paid by the rail's money.",
    example: 'owed',
  })
  rows?: DisputedRows;
  @Flag({
    optional: true,
    description:
      'An admin found out that its rail never paid it: with `rows: owed` its rows leave again although the rail cannot be asked.',
    example: false,
  })
  neverSeen?: boolean;
  @OneOf(RAIL_WORDS, {
    optional: true,
    nullable: true,
    description: '`said` as you read it, also null: it is refused if the rail has said otherwise since.',
    example: 'out',
  })
  said?: RailWord | null;
}

export class DriftPage {
  @ApiProperty({ type: [DriftView] }) data: DriftView[];
  @ApiProperty({ ...text, description: 'Give it back as `cursor`; null on the last page.' }) nextCursor: string | null;
}

export function driftView(drift: Drift): DriftView {
  const { id, rail, railKey, kind, payoutId, providerRef, railCents, railCurrency, ourCents, ourCurrency, ourStatus } =
    drift;
  const { liftingFeeCents } = drift;
  const paidHere = kind === 'amount_differs' || kind === 'not_moved_there' ? (ourCents ?? 0) : 0;
  return {
    id,
    rail,
    railKey,
    kind,
    payoutId,
    providerRef,
    railCents,
    railCurrency,
    ourCents,
    ourCurrency,
    ourStatus,
    differenceCents: (railCents ?? 0) - paidHere,
    liftingFeeCents,
    said: drift.said,
    foundAt: drift.foundAt.toISOString(),
    resolvedAt: drift.resolvedAt?.toISOString() ?? null,
    resolvedBy: drift.resolvedBy,
    note: drift.note,
  };
}

export class PeriodicRunView {
  @ApiProperty({ enum: PERIODIC, example: 'reconcile' }) name: Periodic;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'What it did, counted.',
    example: { asked: 3, resolved: 2 },
  })
  did: Record<string, number>;
  @ApiProperty({ type: 'integer', description: 'How long it took.', example: 12 }) tookMs: number;
}
