import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Refusal } from '#libs/domain';
import { ActingOperator, type Operator } from '#libs/auth';
import { DriftReads } from '#libs/drift';
import {
  Describe,
  IdParam,
  limitOrDefault,
  List,
  NoBody,
  OperatorRole,
  pageOf,
  placeOf,
  Refuses,
} from '#libs/http-kit';
import { OperateDrift } from '../use-cases/operate-drift';
import { PERIODIC, type Periodic } from '../use-cases/periodic-work';
import { RunJobs } from '../use-cases/run-jobs';
import { DriftPage, DriftQuery, DriftView, driftView, PeriodicRunView, ResolveDriftBody } from './work.dto';

@ApiTags('Operator: rails')
@Controller('operator/v1')
export class OperatorWorkController {
  constructor(
    private readonly drift: DriftReads,
    private readonly operate: OperateDrift,
    private readonly jobs: RunJobs,
  ) {}

  @Get('drift')
  @List()
  @OperatorRole('viewer')
  @Describe('Where a rail and we disagree about money, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_cursor')
  @ApiOkResponse({ type: DriftPage })
  async readDrift(@Query() { rail, open, cursor, limit: wanted }: DriftQuery): Promise<DriftPage> {
    const limit = limitOrDefault(wanted);
    const filter = { rail, open: open === undefined ? undefined : open === 'true' };
    return pageOf(await this.drift.list(filter, placeOf(cursor), limit), limit, driftView);
  }

  @Get('drift/:id')
  @OperatorRole('viewer')
  @Describe('One difference', { addition: true })
  @Refuses('drift_not_found')
  @ApiOkResponse({ type: DriftView })
  async readOne(@IdParam('drift_not_found') id: string): Promise<DriftView> {
    const drift = await this.drift.find(id);
    if (!drift) throw new Refusal('drift_not_found');
    return driftView(drift);
  }

  @Post('drift/:id/resolve')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe(
    'Close a difference that was looked into: its money arrived, or the owed rows of its payout may leave again',
    { addition: true },
  )
  @Refuses('invalid_request', 'drift_not_found', 'illegal_transition')
  @ApiOkResponse({ type: DriftView })
  async resolve(
    @ActingOperator() { name, role }: Operator,
    @IdParam('drift_not_found') id: string,
    @Body() { note = null, rows = 'owed', neverSeen = false, said }: ResolveDriftBody,
  ): Promise<DriftView> {
    if (neverSeen && role !== 'admin') throw new Refusal('insufficient_role', '`neverSeen` needs the role admin.');
    return driftView(await this.operate.resolve(name, id, { note, rows, neverSeen, said }));
  }

  @Post('jobs/:name/run')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe('Run a piece of periodic work now', { addition: true })
  @ApiParam({ name: 'name', enum: PERIODIC })
  @Refuses('invalid_request', 'not_found')
  @ApiOkResponse({ type: PeriodicRunView })
  async run(
    @ActingOperator() operator: Operator,
    @Param('name') name: string,
    @Body() _: NoBody,
  ): Promise<PeriodicRunView> {
    const known = PERIODIC.find((periodic): periodic is Periodic => periodic === name);
    if (!known) throw new Refusal('not_found', `There is no such job. There are ${PERIODIC.join(', ')}.`);
    return this.jobs.run(operator.name, known);
  }
}
