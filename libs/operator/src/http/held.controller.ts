/** Payouts that are held for one reason, let go on together, oldest first; or only looked at. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { type Asker, Asking } from '#libs/auth';
import { invalidField, isHolding } from '#libs/domain';
import { Describe, Flag, Id, instantOf, Limit, OperatorRole, pageOf, placeOf, Refuses, Text } from '#libs/http-kit';
import { HeldListReads, type HeldPayout } from '../db/held-list.reads';
import { type Released, ReleaseMany } from '../use-cases/release-many';

const nullable = { type: String, nullable: true } as const;
/** A rail may be asked for each of them. */
const USUAL = 20;

export class ReleaseManyBody {
  @Text(1, 64, { description: 'The code of what holds them, as in `statusReason`.', example: 'not_payable' })
  reason: string;
  @Id({ optional: true, description: 'Only of this client.' }) clientId?: string;
  @ApiProperty({ required: false, format: 'date-time', description: 'Only those made before then.' })
  @IsOptional()
  @IsString({ message: 'must be a date-time' })
  before?: string;
  @Flag({ optional: true, description: 'Nothing is released: what would be is listed.', example: true })
  dryRun?: boolean;
  @Limit() limit?: number;
  @ApiProperty({ required: false, description: 'nextCursor of the answer before.' })
  @IsOptional()
  @IsString({ message: 'must be a text' })
  cursor?: string;
}

export class ReleasedView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty({ type: 'integer', example: 2500 }) amountCents: number;
  @ApiProperty({ example: 'USD' }) currency: string;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ description: 'Where it stands now.', example: 'authorized' }) status: string;
  @ApiProperty({ ...nullable, example: null }) statusReason: string | null;
  @ApiProperty({ ...nullable, description: 'Why it could not be released: an error code.', example: null })
  error: string | null;
  @ApiProperty({ ...nullable, description: 'The same in words, and what to do about it.', example: null })
  message: string | null;
}

export class ReleasedPage {
  @ApiProperty({ type: [ReleasedView] }) data: ReleasedView[];
  @ApiProperty({ ...nullable, description: 'Give it back as `cursor`; null once there are no more.' })
  nextCursor: string | null;
}

@ApiTags('Operator: payouts')
@Controller('operator/v1/payouts')
export class OperatorHeldController {
  constructor(
    private readonly held: HeldListReads,
    private readonly releasing: ReleaseMany,
  ) {}

  @Post('release')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe('Put payouts that are held for one reason to their gates again', {
    addition: true,
    description:
      'Oldest first, 20 for each call unless `limit` says otherwise. Each has its own line in the audit log.',
  })
  @Refuses('invalid_request', 'invalid_cursor')
  @ApiOkResponse({ type: ReleasedPage })
  async release(@Asking() asker: Asker, @Body() body: ReleaseManyBody): Promise<ReleasedPage> {
    const { reason, clientId, dryRun = false, cursor, limit = USUAL } = body;
    // Of a word that is misspelt nothing is held, and that would be told as if there was nothing to do.
    if (!isHolding(reason)) throw invalidField('reason', 'must be the code of a hold; docs/reasons.md lists them');
    const filter = { reason, clientId, before: instantOf('before', body.before) };
    const { data, nextCursor } = pageOf(await this.held.list(filter, placeOf(cursor), limit), limit, (row) => row);
    return {
      data: (dryRun ? data.map(asItStands) : await this.releasing.run(asker, data)).map(releasedView),
      nextCursor,
    };
  }
}

const asItStands = (payout: HeldPayout): Released => ({ ...payout, status: 'held', error: null, message: null });

const releasedView = (released: Released): ReleasedView => {
  const { id, clientId, payeeId, amountCents, currency, createdAt, status, statusReason, error, message } = released;
  return {
    id,
    clientId,
    payeeId,
    amountCents,
    currency,
    createdAt: createdAt.toISOString(),
    status,
    statusReason,
    error,
    message,
  };
};
