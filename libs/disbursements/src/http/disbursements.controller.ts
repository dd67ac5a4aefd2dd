import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import { DISBURSEMENT_STATUSES, type DisbursementStatus, Refusal } from '#libs/domain';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import {
  Describe,
  IdParam,
  isRefusal,
  limitOrDefault,
  List,
  pageOf,
  placeOf,
  readRow,
  Refuses,
  type RowRefusal,
  Scope,
} from '#libs/http-kit';
import { DisbursementReads } from '#libs/owed';
import { directiveComplaint } from '#libs/rail-kit';
import { LinkRecovery } from '../use-cases/link-recovery';
import { PushDisbursements, type PushedRow } from '../use-cases/push-disbursements';
import {
  DisbursementPage,
  DisbursementView,
  disbursementView,
  type PushedRowView,
  PushView,
  RecoveryLinkView,
} from './disbursement.view';
import { ListDisbursementsQuery, PushDisbursementsBody, PushItem, RecoveryLinkBody } from './disbursements.dto';

@ApiTags('Disbursements')
@Controller('api/v1/disbursements')
export class DisbursementsController {
  constructor(
    private readonly push: PushDisbursements,
    private readonly recovery: LinkRecovery,
    private readonly reads: DisbursementReads,
  ) {}

  @Post()
  @HttpCode(207)
  @Scope('disbursements:write')
  @Describe('Push what is owed', { description: 'Each row answers for itself; a repeated reference answers its row.' })
  @Refuses('invalid_request', 'duplicate_external_ref')
  @ApiResponse({ status: 207, type: PushView, description: 'One result for each row.' })
  async create(
    @Caller() client: Client,
    @Body() { items, sendEmail = false }: PushDisbursementsBody,
  ): Promise<PushView> {
    refuseDuplicates(items);
    const rows = items.map((item) => allowed(client, readRow(PushItem, item)));
    const outcomes = await this.push.run(client, rows, sendEmail);
    return { results: outcomes.map(rowView) };
  }

  @Get()
  @List()
  @Scope('disbursements:read')
  @Describe('List owed rows, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_status', 'invalid_cursor')
  @ApiOkResponse({ type: DisbursementPage })
  async list(@Caller() client: Client, @Query() query: ListDisbursementsQuery): Promise<DisbursementPage> {
    const limit = limitOrDefault(query.limit);
    const { payeeId, externalRef, transactionId } = query;
    const filter = { clientId: client.id, status: statusOf(query.status), payeeId, externalRef, transactionId };
    return pageOf(await this.reads.list(filter, placeOf(query.cursor), limit), limit, disbursementView);
  }

  @Get(':id')
  @Scope('disbursements:read')
  @Describe('Read an owed row', { addition: true })
  @Refuses('disbursement_not_found')
  @ApiOkResponse({ type: DisbursementView })
  async read(@Caller() client: Client, @IdParam('disbursement_not_found') id: string): Promise<DisbursementView> {
    const row = await this.reads.find(client.id, id);
    if (!row) throw new Refusal('disbursement_not_found');
    return disbursementView(row);
  }

  @Post('recovery-link')
  @HttpCode(200)
  @Scope('disbursements:write')
  @Describe('Attach rows of a failed payout to the payout that replaced it', {
    description: 'Repairs the ledger only: nothing is paid, and no rail is called.',
  })
  @Refuses(
    'invalid_request',
    'invalid_disbursement_ids',
    'replacement_transaction_not_found',
    'disbursement_not_found',
    'withdrawal_in_progress',
    'replacement_transaction_not_active',
    'recovery_link_mismatch',
    'recovery_link_conflict',
    'superseded_transaction_not_failed',
    'recovery_link_amount_mismatch',
  )
  @ApiOkResponse({ type: RecoveryLinkView })
  async link(@Caller() client: Client, @Body() body: RecoveryLinkBody): Promise<RecoveryLinkView> {
    const { replacementTransactionId, disbursementIds } = body;
    if (new Set(disbursementIds).size < disbursementIds.length)
      throw new Refusal('invalid_disbursement_ids', 'disbursementIds names a row twice.');
    const { idempotentReplay } = await this.recovery.run(client, body);
    const linked = idempotentReplay ? 0 : disbursementIds.length;
    return { replacementTransactionId, linked, disbursementIds, idempotentReplay };
  }
}

function allowed(client: Client, row: PushItem | RowRefusal): PushItem | RowRefusal {
  const complaint = client.testMode && !isRefusal(row) ? directiveComplaint(row.reason) : null;
  return complaint ? { error: 'invalid_row', message: `reason ${complaint}` } : row;
}

/** Looked for before anything else about the rows: two with one reference cannot both be meant. */
function refuseDuplicates(items: object[]): void {
  const places = new Map<unknown, number[]>();
  items.forEach((item, index) => {
    const { externalRef } = item as { externalRef?: unknown };
    if (typeof externalRef === 'string') places.set(externalRef, [...(places.get(externalRef) ?? []), index]);
  });
  const indices = [...places.values()].filter((same) => same.length > 1).flat();
  if (indices.length > 0)
    throw new Refusal('duplicate_external_ref', 'Rows share an externalRef; nothing was processed.', {
      indices: indices.sort((a, b) => a - b),
    });
}

function rowView(outcome: Awaited<ReturnType<PushDisbursements['run']>>[number], index: number): PushedRowView {
  if ('error' in outcome) return { index, status: 'error', error: outcome.error, message: outcome.message };
  const { disbursement, duplicate }: PushedRow = outcome;
  return { index, status: 'ok', disbursement: disbursementView(disbursement), idempotentReplay: duplicate };
}

function statusOf(word: string | undefined): DisbursementStatus | undefined {
  const known: readonly string[] = DISBURSEMENT_STATUSES;
  if (word !== undefined && !known.includes(word))
    throw new Refusal('invalid_status', `status must be one of ${DISBURSEMENT_STATUSES.join(', ')}.`);
  return word as DisbursementStatus | undefined;
}
