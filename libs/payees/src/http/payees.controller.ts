import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { invalidField, KYC_STATUSES, type KycStatus, Refusal } from '#libs/domain';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, IdParam, limitOrDefault, List, pageOf, placeOf, Refuses, Scope } from '#libs/http-kit';
import { PUBLISHED_CUSTODIAL_RAILS, TEST_RAIL } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { PayeeReads } from '../db/payee.reads';
import { AdoptMethod } from '../use-cases/adopt-method';
import { ReadReadiness } from '../use-cases/read-readiness';
import { UpsertPayee } from '../use-cases/upsert-payee';
import { AdoptionView, methodView, PayeePage, PayeeView, payeeView, ReadinessView, readinessView } from './payee.view';
import { AdoptMethodBody, ListPayeesQuery, UpsertPayeeBody } from './payees.dto';

@ApiTags('Payees')
@Controller('api/v1/payees')
export class PayeesController {
  constructor(
    private readonly upsert: UpsertPayee,
    private readonly adopt: AdoptMethod,
    private readonly readiness: ReadReadiness,
    private readonly payees: PayeeReads,
    private readonly rails: Rails,
  ) {}

  @Post()
  @HttpCode(200)
  @Scope('payees:write')
  @Describe('Create a payee, or change the one with this externalId')
  @Refuses('invalid_request')
  @ApiOkResponse({ type: PayeeView })
  async create(@Caller() client: Client, @Body() body: UpsertPayeeBody): Promise<PayeeView> {
    return payeeView(await this.upsert.run(client, body));
  }

  @Get()
  @List()
  @Scope('payees:read')
  @Describe('List payees, newest first')
  @Refuses('invalid_request', 'invalid_kyc', 'invalid_cursor')
  @ApiOkResponse({ type: PayeePage })
  async list(@Caller() client: Client, @Query() query: ListPayeesQuery): Promise<PayeePage> {
    const limit = limitOrDefault(query.limit);
    const filter = {
      clientId: client.id,
      kyc: kycOf(query.kyc),
      payable: payableOf(query.payable),
      email: query.email,
      externalId: query.externalId,
    };
    return pageOf(await this.payees.list(filter, placeOf(query.cursor), limit), limit, payeeView);
  }

  @Get(':id')
  @Scope('payees:read')
  @Describe('Read a payee')
  @Refuses('payee_not_found')
  @ApiOkResponse({ type: PayeeView })
  async read(@Caller() client: Client, @IdParam('payee_not_found') id: string): Promise<PayeeView> {
    const payee = await this.payees.find(client.id, id);
    if (!payee) throw new Refusal('payee_not_found');
    return payeeView(payee);
  }

  @Post(':id/methods')
  @HttpCode(200)
  @Scope('payees:write')
  @Describe("Adopt a verified rail account as the payee's method")
  @Refuses('invalid_request', 'payee_not_found', 'account_already_linked', 'payee_cooling_down', 'account_unverifiable')
  @ApiOkResponse({ type: AdoptionView })
  async adoptMethod(
    @Caller() client: Client,
    @IdParam('payee_not_found') id: string,
    @Body() body: AdoptMethodBody,
  ): Promise<AdoptionView> {
    if (!this.isCustodial(body.provider)) throw invalidField('provider', 'must be the name of a custodial rail');
    const { method, payee } = await this.adopt.run(client, id, body);
    return { method: methodView(method), payee: payeeView(payee) };
  }

  @Get(':id/readiness')
  @Scope('payees:read')
  @Describe('Whether the payee can be paid now, and if not, why')
  @Refuses('payee_not_found')
  @ApiOkResponse({ type: ReadinessView })
  async readReadiness(@Caller() client: Client, @IdParam('payee_not_found') id: string): Promise<ReadinessView> {
    return readinessView(await this.readiness.run(client, id));
  }

  private isCustodial(provider: string): boolean {
    const published: readonly string[] = PUBLISHED_CUSTODIAL_RAILS;
    return (
      published.includes(provider) || (provider !== TEST_RAIL && this.rails.traits(provider)?.custody === 'custodial')
    );
  }
}

function kycOf(word: string | undefined): KycStatus | undefined {
  const known: readonly string[] = KYC_STATUSES;
  if (word !== undefined && !known.includes(word))
    throw new Refusal('invalid_kyc', `kyc must be one of ${KYC_STATUSES.join(', ')}.`);
  return word as KycStatus | undefined;
}

function payableOf(word: unknown): boolean | undefined {
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
