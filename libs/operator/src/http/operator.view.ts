/** What operators send and read about one another. */
import { ApiProperty } from '@nestjs/swagger';
import type { OperatorRow } from '#libs/auth';
import { Check, OneOf, type OperatorRoleName } from '#libs/http-kit';

const ROLES = ['viewer', 'operator', 'admin'] as const;

/** Stands in the audit log and in lines of logs: no letter that only looks like another, none that is not seen. */
const NAME = /^(?=.{1,64}$)[A-Za-z0-9]+(?:[ ._@'-][A-Za-z0-9]+)*$/;
const NAME_RULE = "must be 1 to 64 letters a-z and digits, with one of space . _ @ ' - between them";

export class CreateOperatorBody {
  @ApiProperty({
    minLength: 1,
    maxLength: 64,
    pattern: NAME.source,
    description: 'Stands in the audit log. Not given twice, in capitals or not.',
    example: 'grace',
  })
  @Check((value) => typeof value === 'string' && NAME.test(value), NAME_RULE)
  name: string;
  @OneOf(ROLES, { example: 'operator' }) role: OperatorRoleName;
}

export class OperatorView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'grace' }) name: string;
  @ApiProperty({ enum: ROLES, example: 'operator' }) role: OperatorRoleName;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) revokedAt: string | null;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export class OperatorPage {
  @ApiProperty({ type: [OperatorView] }) data: OperatorView[];
  @ApiProperty({ type: String, nullable: true, description: 'Give it back as `cursor`; null on the last page.' })
  nextCursor: string | null;
}

export class NewOperatorView {
  @ApiProperty({ type: OperatorView }) operator: OperatorView;
  @ApiProperty({ description: 'Shown this once.', example: 'gw_op_…' }) token: string;
}

export class RewrapView {
  @ApiProperty({ type: 'integer', description: 'All there are.', example: 12 }) checked: number;
  @ApiProperty({ type: 'integer', description: 'Sealed anew with the first master key.', example: 12 })
  rewrapped: number;
}

export function operatorView({ id, name, role, revokedAt, createdAt }: OperatorRow): OperatorView {
  return { id, name, role, revokedAt: revokedAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
}
