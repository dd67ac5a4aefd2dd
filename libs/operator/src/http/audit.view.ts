/** The audit log as operators read it. */
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { Id, Text } from '#libs/http-kit';
import type { AuditRow } from '../db/audit.reads';
import { ListQuery } from './clients.dto';

const time = { required: false, format: 'date-time' } as const;
const once = { message: 'must be sent once' };

export class AuditQuery extends ListQuery {
  @Id({ optional: true, description: 'Only what was done to this client.' }) clientId?: string;
  @Text(1, 64, { optional: true, description: 'Only by this operator.', example: 'root' }) actor?: string;
  @Text(1, 64, { optional: true, description: 'Only this: `payout.released`, or `payout` for all that begins so.' })
  action?: string;
  @ApiProperty({ ...time, description: 'Done then or later.' }) @IsOptional() @IsString(once) from?: string;
  @ApiProperty({ ...time, description: 'Done before then.' }) @IsOptional() @IsString(once) to?: string;
}

export class AuditView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'The name of the operator; `root` is OPERATOR_TOKEN.', example: 'root' }) actor: string;
  @ApiProperty({ example: 'client.key_rotated' }) action: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) clientId: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'What it was done to, where that is no client.' })
  target: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) before: unknown;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) after: unknown;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export class AuditPage {
  @ApiProperty({ type: [AuditView] }) data: AuditView[];
  @ApiProperty({ type: String, nullable: true, description: 'Give it back as `cursor`; null on the last page.' })
  nextCursor: string | null;
}

export function auditView({ id, actor, action, clientId, target, before, after, createdAt }: AuditRow): AuditView {
  return { id, actor, action, clientId, target, before, after, createdAt: createdAt.toISOString() };
}
