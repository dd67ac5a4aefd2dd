import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, isRefusal, readRow, Refuses, type RowRefusal, Scope } from '#libs/http-kit';
import { directiveComplaint } from '#libs/rail-kit';
import { CreateBatch, type RowOutcome } from '../use-cases/create-batch';
import { BatchItem, type BatchRowView, BatchView, CreateBatchBody } from './batch.dto';
import { transactionView } from './payout.view';

@ApiTags('Payouts')
@Controller('api/v1/payouts/batch')
export class BatchController {
  constructor(private readonly batch: CreateBatch) {}

  @Post()
  @HttpCode(207)
  @Scope('payouts:write')
  @Describe('Pay many payees', { description: 'Each row answers for itself; sent again, every row is paid once.' })
  @Refuses('invalid_request', 'duplicate_target')
  @ApiResponse({ status: 207, type: BatchView, description: 'One result for each row.' })
  async create(@Caller() client: Client, @Body() body: CreateBatchBody): Promise<BatchView> {
    const rows = body.items.map((item) => allowed(client, readRow(BatchItem, item)));
    const outcomes = await this.batch.run(client, body.idempotencyKey, rows);
    return { results: outcomes.map((outcome, index) => rowView(client, outcome, index)) };
  }
}

function allowed(client: Client, row: BatchItem | RowRefusal): BatchItem | RowRefusal {
  if (isRefusal(row)) return row;
  const complaint = client.testMode ? directiveComplaint(row.reason) : null;
  if (complaint) return { error: 'invalid_row', message: `reason ${complaint}` };
  if (row.email == null || client.scopes.includes('payees:write')) return row;
  return { error: 'insufficient_scope', message: 'Paying an e-mail address needs the scope payees:write.' };
}

function rowView(client: Client, outcome: RowOutcome, index: number): BatchRowView {
  if ('error' in outcome) return { index, status: 'error', error: outcome.error, message: outcome.message };
  const transaction = transactionView(outcome.payout, client.statusVersion);
  return { index, status: 'ok', transaction, idempotentReplay: outcome.duplicate };
}
