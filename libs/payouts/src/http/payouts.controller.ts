import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { encodeCursor, invalidField } from '#libs/domain';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, IdParam, limitOrDefault, List, Refuses, Scope, shownOf } from '#libs/http-kit';
import { directiveComplaint } from '#libs/rail-kit';
import { PayoutReads } from '../db/payout.reads';
import { CreatePayouts } from '../use-cases/create-payouts';
import { PayoutJobs } from '../use-cases/payout-jobs';
import { ReadPayout } from '../use-cases/read-payout';
import { filterOf } from './payout-list';
import {
  listedTransactionView,
  TransactionDetailView,
  transactionDetailView,
  TransactionPage,
  TransactionView,
  transactionView,
} from './payout.view';
import { CreatePayoutBody, ListPayoutsQuery } from './payouts.dto';

@ApiTags('Payouts')
@Controller('api/v1/payouts')
export class PayoutsController {
  constructor(
    private readonly creation: CreatePayouts,
    private readonly reads: PayoutReads,
    private readonly details: ReadPayout,
    private readonly jobs: PayoutJobs,
  ) {}

  @Post()
  @Scope('payouts:write')
  @Describe('Pay a payee', { description: 'Once per idempotencyKey: a repeated key answers 200 with the original.' })
  @Refuses('invalid_request', 'payee_not_found', 'idempotency_conflict')
  @ApiCreatedResponse({ type: TransactionView })
  @ApiOkResponse({ type: TransactionView })
  async create(
    @Caller() client: Client,
    @Body() body: CreatePayoutBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TransactionView> {
    const { ref = null, reason = null, metadata, ...wish } = body;
    const complaint = client.testMode ? directiveComplaint(reason) : null;
    if (complaint) throw invalidField('reason', complaint);
    const intent = {
      ...wish,
      ref,
      reason,
      metadata: metadata ?? {},
      client,
      source: 'payout',
      actor: 'client',
    } as const;
    const { payout, duplicate } = await this.creation.run(intent);
    response.status(duplicate ? 200 : 201);
    return transactionView(payout, client.statusVersion);
  }

  @Get()
  @List()
  @Scope('payouts:read')
  @Describe('List payouts, newest first')
  @Refuses('invalid_request', 'invalid_status', 'invalid_cursor')
  @ApiOkResponse({ type: TransactionPage })
  async list(@Caller() client: Client, @Query() query: ListPayoutsQuery): Promise<TransactionPage> {
    const limit = limitOrDefault(query.limit);
    const rows = await this.reads.list({ ...filterOf(query), clientId: client.id }, limit);
    const { shown, last } = shownOf(rows, limit);
    return {
      data: shown.map((payout) => listedTransactionView(payout, client.statusVersion)),
      nextCursor: last?.createdAt.toISOString() ?? null,
      nextCursor2: last ? encodeCursor(last) : null,
    };
  }

  @Get(':id')
  @Scope('payouts:read')
  @Describe('Read a payout with its reason and its event trail')
  @Refuses('payout_not_found')
  @ApiOkResponse({ type: TransactionDetailView })
  async read(@Caller() client: Client, @IdParam('payout_not_found') id: string): Promise<TransactionDetailView> {
    const { payout, trail } = await this.details.ofClient(client.id, id);
    await this.jobs.lookIfStale(payout);
    return transactionDetailView(payout, trail, client.statusVersion);
  }
}
