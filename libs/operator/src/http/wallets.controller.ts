import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { invalidField, MAX_AMOUNT_CENTS, Refusal } from '#libs/domain';
import { ActingOperator, type Operator } from '#libs/auth';
import { ClientReads } from '#libs/clients';
import {
  CurrencyCode,
  Describe,
  IdParam,
  limitOrDefault,
  List,
  OneOf,
  OperatorRole,
  pageOf,
  placeOf,
  Reference,
  Refuses,
  Text,
  WholeNumber,
} from '#libs/http-kit';
import {
  ENTRY_TYPES,
  type EntryType,
  WalletEntryView,
  walletEntryView,
  WalletReads,
  WalletView,
  walletView,
} from '#libs/wallets';
import { FundWallets } from '../use-cases/fund-wallets';
import { ListQuery } from './clients.dto';

export class WalletEntryBody {
  @OneOf(ENTRY_TYPES, { example: 'deposit' }) type: EntryType;
  @CurrencyCode() currency: string;
  @WholeNumber(-MAX_AMOUNT_CENTS, MAX_AMOUNT_CENTS, {
    description: 'Integer minor units; below zero only for an adjustment.',
    example: 500_000,
  })
  amountCents: number;
  @Reference({ description: 'Once per client: posted twice it counts once.', example: 'bank-2026-11-21-0007' })
  reference: string;
  @Text(0, 1000, { optional: true, nullable: true, example: 'Top-up of November' }) note?: string | null;
}

export class WalletEntryPage {
  @ApiProperty({ type: [WalletEntryView] }) data: WalletEntryView[];
  @ApiProperty({ type: String, nullable: true, description: 'Give it back as `cursor`; null on the last page.' })
  nextCursor: string | null;
}

@ApiTags('Operator: wallets')
@Controller('operator/v1/clients/:id/wallet')
export class OperatorWalletsController {
  constructor(
    private readonly funding: FundWallets,
    private readonly wallets: WalletReads,
    private readonly clients: ClientReads,
  ) {}

  @Post('entries')
  @OperatorRole('operator')
  @Describe('Record a deposit or an adjustment', {
    description: 'Once per reference: a repeated one answers 200 with the original.',
    addition: true,
  })
  @Refuses('invalid_request', 'client_not_found', 'idempotency_conflict')
  @ApiCreatedResponse({ type: WalletEntryView })
  @ApiOkResponse({ type: WalletEntryView })
  async post(
    @ActingOperator() { name }: Operator,
    @IdParam('client_not_found') clientId: string,
    @Body() body: WalletEntryBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WalletEntryView> {
    const { amountCents, type, note = null } = body;
    if (amountCents === 0 || (amountCents < 0 && type === 'deposit'))
      throw invalidField('amountCents', type === 'deposit' ? 'must be above zero' : 'must not be zero');
    const { entry, duplicate } = await this.funding.post(name, { ...body, note, clientId });
    response.status(duplicate ? 200 : 201);
    return walletEntryView(entry);
  }

  @Get()
  @OperatorRole('viewer')
  @Describe('What a client has left, by currency', { addition: true })
  @Refuses('client_not_found')
  @ApiOkResponse({ type: [WalletView] })
  async read(@IdParam('client_not_found') clientId: string): Promise<WalletView[]> {
    await this.known(clientId);
    return (await this.wallets.of(clientId)).map(walletView);
  }

  @Get('entries')
  @List()
  @OperatorRole('viewer')
  @Describe('What came in, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_cursor', 'client_not_found')
  @ApiOkResponse({ type: WalletEntryPage })
  async entries(@IdParam('client_not_found') clientId: string, @Query() query: ListQuery): Promise<WalletEntryPage> {
    await this.known(clientId);
    const limit = limitOrDefault(query.limit);
    return pageOf(await this.wallets.entries(clientId, placeOf(query.cursor), limit), limit, walletEntryView);
  }

  private async known(clientId: string): Promise<void> {
    if (!(await this.clients.find(clientId))) throw new Refusal('client_not_found');
  }
}
