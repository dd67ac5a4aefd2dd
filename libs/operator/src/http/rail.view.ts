/** How a rail stands, as operators see it. */
import { ApiProperty } from '@nestjs/swagger';
import { type BoundAccount, type ClosedLane, LANE_REASONS, type LaneReason } from '#libs/rail-registry';
import type { RailStanding } from '../use-cases/operate-rails';

const text = { type: String, nullable: true } as const;

export class RailFundsView {
  @ApiProperty({ description: 'ISO 4217.', example: 'USD' }) currency: string;
  @ApiProperty({ type: 'integer', example: 1_000_000 }) availableCents: number;
}

export class RailAccountView {
  @ApiProperty({ description: "The provider's name for the account.", example: 'acct_1' }) account: string;
  @ApiProperty({ enum: ['live', 'sandbox'], example: 'live' }) mode: 'live' | 'sandbox';
  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' }) boundAt: string;
}

export class RailLaneView {
  @ApiProperty({ enum: LANE_REASONS, example: 'credentials' }) reason: LaneReason;
  @ApiProperty({ example: 'no such key' }) detail: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' }) closedAt: string;
  @ApiProperty({ ...text, format: 'date-time', description: 'Null: once its credentials are verified.', example: null })
  opensAt: string | null;
}

export class RailView {
  @ApiProperty({ example: 'mock' }) name: string;
  @ApiProperty({ description: 'This deployment carries it.', example: true }) implemented: boolean;
  @ApiProperty({ description: 'It has all its settings.', example: true }) configured: boolean;
  @ApiProperty({ type: [String], description: 'Settings that are missing.', example: [] }) missingSettings: string[];
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether its last call from this process had an answer; null: none was made yet.',
    example: true,
  })
  healthy: boolean | null;
  @ApiProperty({
    type: [RailFundsView],
    nullable: true,
    description: 'A few seconds old at most. Null where the rail does not tell.',
  })
  funding: RailFundsView[] | null;
  @ApiProperty({
    type: RailAccountView,
    nullable: true,
    description: 'Null for rails that do not tell, and before first use.',
  })
  boundTo: RailAccountView | null;
  @ApiProperty({ type: RailLaneView, nullable: true, description: 'Why nothing is sent to it now; null: it is open.' })
  closed: RailLaneView | null;
  @ApiProperty({
    ...text,
    format: 'date-time',
    description: 'When its provider called last, as far as notices are kept; null: it never did.',
    example: '2026-01-01T00:00:00.000Z',
  })
  lastNoticeAt: string | null;
  @ApiProperty({
    ...text,
    format: 'date-time',
    description:
      'When the database was restored, until a comparison with this rail of ten minutes later: owed rows wait for that. Null: nothing waits.',
    example: null,
  })
  awaitedSince: string | null;
}

export class RailComparedView {
  @ApiProperty({ example: 'claim_rail' }) name: string;
  @ApiProperty({
    ...text,
    format: 'date-time',
    description: 'Since when owed rows waited for this. Null: nothing waited.',
    example: '2026-01-01T00:00:00.000Z',
  })
  awaitedSince: string | null;
}

export class RailList {
  @ApiProperty({ type: [RailView] }) data: RailView[];
  @ApiProperty({ ...text, description: 'Always null: all rails are in one page.' }) nextCursor: null;
}

export const railAccountView = ({ account, mode, boundAt }: BoundAccount): RailAccountView => ({
  ...{ account, mode, boundAt: boundAt.toISOString() },
});

const railLaneView = ({ reason, detail, closedAt, opensAt }: ClosedLane): RailLaneView => ({
  ...{ reason, detail, closedAt: closedAt.toISOString(), opensAt: opensAt?.toISOString() ?? null },
});

export const railComparedView = (name: string, awaitedSince: Date | null): RailComparedView => ({
  ...{ name, awaitedSince: awaitedSince?.toISOString() ?? null },
});

export const railView = (
  { boundTo, closed, awaitedSince, ...standing }: RailStanding,
  lastNoticeAt?: Date,
): RailView => ({
  ...standing,
  implemented: true,
  boundTo: boundTo && railAccountView(boundTo),
  closed: closed && railLaneView(closed),
  lastNoticeAt: lastNoticeAt?.toISOString() ?? null,
  awaitedSince: awaitedSince?.toISOString() ?? null,
});

/** One of the published names that this deployment has no lib for. */
export const notCarriedView = (name: string): RailView => ({
  ...{ name, implemented: false, configured: false, missingSettings: [], healthy: null, funding: null },
  ...{ boundTo: null, closed: null, lastNoticeAt: null, awaitedSince: null },
});
