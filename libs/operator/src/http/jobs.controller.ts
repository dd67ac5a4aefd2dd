/** The work that waits: what has a job, since when, and what came of it the last time. */
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import { JOB_NAMES, type Backlog, type JobName, JobReads, type WaitingJob } from '#libs/jobs';
import { Describe, Id, Limit, limitOrDefault, OneOf, OperatorRole, Refuses } from '#libs/http-kit';

const nullable = { type: String, nullable: true } as const;

export class SearchJobsQuery {
  @Limit() limit?: number;
  @OneOf(JOB_NAMES, { optional: true, description: 'Only of this kind.' }) name?: JobName;
  @Id({ optional: true, description: 'Only about this payout, payee, event, mail or client.' }) entityId?: string;
}

export class JobView {
  @ApiProperty({ enum: JOB_NAMES, example: 'payout.drive' }) name: JobName;
  @ApiProperty({ format: 'uuid', description: 'What it is about.' }) entityId: string;
  @ApiProperty({ description: 'Whoever must not starve the others: a rail, or a client.', example: 'claim_rail' })
  lane: string;
  @ApiProperty({ format: 'date-time', description: 'When it is due; while it is taken, when it would be taken over.' })
  runAt: string;
  @ApiProperty({ type: 'integer', example: 2 }) attempts: number;
  @ApiProperty({ description: 'A worker has it.', example: false }) taken: boolean;
  @ApiProperty({
    ...nullable,
    description: 'Why it is not through: what failed the last time, or what its rail could not tell.',
    example: 'lookup: no answer within 20000 ms',
  })
  lastError: string | null;
}

export class JobList {
  @ApiProperty({ type: [JobView] }) data: JobView[];
  @ApiProperty({ ...nullable, description: 'Always null: work does not wait to be read on.' }) nextCursor: null;
}

export class BacklogView implements Backlog {
  @ApiProperty({ enum: JOB_NAMES, example: 'payout.drive' }) name: JobName;
  @ApiProperty({ type: 'integer', example: 12 }) waiting: number;
  @ApiProperty({ type: 'integer', description: 'Their time has come.', example: 3 }) due: number;
  @ApiProperty({ type: 'integer', description: 'How long the oldest of those has waited.', example: 0 })
  lateSeconds: number;
}

export class BacklogList {
  @ApiProperty({ type: [BacklogView] }) data: BacklogView[];
  @ApiProperty({ ...nullable, description: 'Always null: all kinds are in one page.' }) nextCursor: null;
}

@ApiTags('Operator: rails')
@Controller('operator/v1/jobs')
export class OperatorJobsController {
  constructor(private readonly jobs: JobReads) {}

  @Get()
  @OperatorRole('viewer')
  @Describe('Search the work that waits, what is due first', { addition: true })
  @Refuses('invalid_request')
  @ApiOkResponse({ type: JobList })
  async search(@Query() { limit, ...filter }: SearchJobsQuery): Promise<JobList> {
    return { data: (await this.jobs.first(filter, limitOrDefault(limit))).map(jobView), nextCursor: null };
  }

  @Get('backlog')
  @OperatorRole('viewer')
  @Describe('How much work of each kind waits, and how late it is', { addition: true })
  @ApiOkResponse({ type: BacklogList })
  async backlog(): Promise<BacklogList> {
    return { data: await this.jobs.backlog(), nextCursor: null };
  }
}

export const jobView = ({ isTaken, runAt, ...job }: WaitingJob): JobView => ({
  ...job,
  taken: isTaken,
  runAt: runAt.toISOString(),
});
