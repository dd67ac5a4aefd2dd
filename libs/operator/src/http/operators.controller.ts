import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import { digest, newId, newToken, Refusal } from '#libs/domain';
import { ActingOperator, IssueCredentials, type Operator, type OperatorRow, OperatorStore } from '#libs/auth';
import { Db } from '#libs/db';
import {
  Describe,
  Id,
  IdParam,
  limitOrDefault,
  NOT_THERE,
  OneOf,
  OperatorRole,
  type OperatorRoleName,
  pageOf,
  placeOf,
  Refuses,
  Text,
} from '#libs/http-kit';
import { AuditStore, type AuditRow } from '../db/audit.store';
import { ListQuery } from './clients.dto';

const ROLES = ['viewer', 'operator', 'admin'] as const;

export class CreateOperatorBody {
  @Text(1, 64) name: string;
  @OneOf(ROLES) role: OperatorRoleName;
}

export class OperatorView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty() name: string;
  @ApiProperty({ enum: ROLES }) role: OperatorRoleName;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) revokedAt: string | null;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export class OperatorList {
  @ApiProperty({ type: [OperatorView] }) data: OperatorView[];
  @ApiProperty({ type: String, nullable: true }) nextCursor: null;
}

export class NewOperatorView {
  @ApiProperty({ type: OperatorView }) operator: OperatorView;
  @ApiProperty({ description: 'Shown this once.' }) token: string;
}

export class RewrapView {
  @ApiProperty({ type: 'integer' }) checked: number;
  @ApiProperty({ type: 'integer', description: 'Sealed anew with the first master key.' }) rewrapped: number;
}

export class AuditQuery extends ListQuery {
  @Id({ optional: true }) clientId?: string;
}

export class AuditView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty() actor: string;
  @ApiProperty({ example: 'client.key_rotated' }) action: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) clientId: string | null;
  @ApiProperty({ type: String, nullable: true }) target: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) before: unknown;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) after: unknown;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export class AuditPage {
  @ApiProperty({ type: [AuditView] }) data: AuditView[];
  @ApiProperty({ type: String, nullable: true }) nextCursor: string | null;
}

@ApiTags('Operator: access and audit')
@Controller('operator/v1')
export class OperatorsController {
  constructor(
    private readonly db: Db,
    private readonly operators: OperatorStore,
    private readonly credentials: IssueCredentials,
    private readonly audit: AuditStore,
  ) {}

  @Get('operators')
  @OperatorRole('viewer')
  @Describe('List the named operators', { addition: true })
  @ApiOkResponse({ type: OperatorList })
  async list(): Promise<OperatorList> {
    return { data: (await this.operators.list()).map(operatorView), nextCursor: null };
  }

  @Post('operators')
  @OperatorRole('admin')
  @Describe('Name an operator and give them a token', { addition: true })
  @Refuses('invalid_request', 'name_taken')
  @ApiCreatedResponse({ type: NewOperatorView })
  create(@ActingOperator() actor: Operator, @Body() { name, role }: CreateOperatorBody): Promise<NewOperatorView> {
    return this.db.inTransaction(async () => {
      const token = newToken('gw_op');
      const row = await this.operators.insert({ id: newId(), name, role, digest: digest(token) });
      if (!row || name === actor.name) throw new Refusal('name_taken', 'There is an operator of this name.');
      await this.audit.add({ actor: actor.name, action: 'operator.created', target: row.id, after: { name, role } });
      return { operator: operatorView(row), token };
    });
  }

  @Delete('operators/:id')
  @HttpCode(200)
  @OperatorRole('admin')
  @Describe("Revoke an operator's token", { addition: true })
  @Refuses('operator_not_found')
  @ApiOkResponse({ type: OperatorView })
  revoke(@ActingOperator() actor: Operator, @IdParam('operator_not_found') id: string): Promise<OperatorView> {
    return this.db.inTransaction(async () => {
      const row = await this.operators.revoke(id);
      if (!row) throw new Refusal('operator_not_found', NOT_THERE);
      await this.audit.add({ actor: actor.name, action: 'operator.revoked', target: id });
      return operatorView(row);
    });
  }

  @Post('master-key/rewrap')
  @HttpCode(200)
  @OperatorRole('admin')
  @Describe('Seal every secret anew with the first master key', { addition: true })
  @ApiOkResponse({ type: RewrapView })
  async rewrap(@ActingOperator() actor: Operator): Promise<RewrapView> {
    const done = await this.credentials.rewrap();
    await this.audit.add({ actor: actor.name, action: 'master_key.rewrapped', after: done });
    return done;
  }

  @Get('audit')
  @OperatorRole('viewer')
  @Describe('What operators did, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_cursor')
  @ApiOkResponse({ type: AuditPage })
  async auditLog(@Query() query: AuditQuery): Promise<AuditPage> {
    const limit = limitOrDefault(query.limit);
    return pageOf(await this.audit.list(query.clientId ?? null, placeOf(query.cursor), limit), limit, auditView);
  }
}

function operatorView({ id, name, role, revokedAt, createdAt }: OperatorRow): OperatorView {
  return { id, name, role, revokedAt: revokedAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
}

function auditView({ id, actor, action, clientId, target, before, after, createdAt }: AuditRow): AuditView {
  return { id, actor, action, clientId, target, before, after, createdAt: createdAt.toISOString() };
}
