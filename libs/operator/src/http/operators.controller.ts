import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ActingOperator, type Asker, Asking, type Operator, OperatorReads } from '#libs/auth';
import {
  Describe,
  IdParam,
  instantOf,
  limitOrDefault,
  List,
  OperatorRole,
  pageOf,
  placeOf,
  Refuses,
} from '#libs/http-kit';
import { AuditReads } from '../db/audit.reads';
import { NameOperators } from '../use-cases/name-operators';
import { RewrapSecrets } from '../use-cases/rewrap-secrets';
import { AuditPage, AuditQuery, auditView } from './audit.view';
import { ListQuery } from './clients.dto';
import {
  CreateOperatorBody,
  NewOperatorView,
  OperatorPage,
  OperatorView,
  operatorView,
  RewrapView,
} from './operator.view';

@ApiTags('Operator: access and audit')
@Controller('operator/v1')
export class OperatorsController {
  constructor(
    private readonly operators: OperatorReads,
    private readonly naming: NameOperators,
    private readonly rewrapping: RewrapSecrets,
    private readonly audit: AuditReads,
  ) {}

  @Get('operators')
  @List()
  @OperatorRole('viewer')
  @Describe('List the named operators, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_cursor')
  @ApiOkResponse({ type: OperatorPage })
  async list(@Query() query: ListQuery): Promise<OperatorPage> {
    const limit = limitOrDefault(query.limit);
    return pageOf(await this.operators.list(placeOf(query.cursor), limit), limit, operatorView);
  }

  @Post('operators')
  @OperatorRole('admin')
  @Describe('Name an operator and give them a token', { addition: true })
  @Refuses('invalid_request', 'name_taken')
  @ApiCreatedResponse({ type: NewOperatorView })
  async create(@Asking() asker: Asker, @Body() { name, role }: CreateOperatorBody): Promise<NewOperatorView> {
    const { operator, token } = await this.naming.create(asker, name, role);
    return { operator: operatorView(operator), token };
  }

  @Delete('operators/:id')
  @HttpCode(200)
  @OperatorRole('admin')
  @Describe("Revoke an operator's token", { addition: true })
  @Refuses('operator_not_found')
  @ApiOkResponse({ type: OperatorView })
  async revoke(@ActingOperator() actor: Operator, @IdParam('operator_not_found') id: string): Promise<OperatorView> {
    return operatorView(await this.naming.revoke(actor.name, id));
  }

  @Post('master-key/rewrap')
  @HttpCode(200)
  @OperatorRole('admin')
  @Describe('Seal every secret anew with the first master key', { addition: true })
  @ApiOkResponse({ type: RewrapView })
  rewrap(@ActingOperator() actor: Operator): Promise<RewrapView> {
    return this.rewrapping.run(actor.name);
  }

  @Get('audit')
  @List()
  @OperatorRole('viewer')
  @Describe('What operators did, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_cursor')
  @ApiOkResponse({ type: AuditPage })
  async auditLog(@Query() { limit: wanted, cursor, from, to, ...who }: AuditQuery): Promise<AuditPage> {
    const limit = limitOrDefault(wanted);
    const filter = { ...who, from: instantOf('from', from), to: instantOf('to', to) };
    return pageOf(await this.audit.list(filter, placeOf(cursor), limit), limit, auditView);
  }
}
