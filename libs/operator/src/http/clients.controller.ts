import { Body, Controller, Delete, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { invalidField, Refusal } from '#libs/domain';
import { type Asker, Asking } from '#libs/auth';
import { ClientReads, ENDED_KEYS_LISTED } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { Describe, IdParam, limitOrDefault, List, OperatorRole, pageOf, placeOf, Refuses } from '#libs/http-kit';
import { PUBLISHED_RAILS } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { checkWebhookUrl } from '#libs/webhooks';
import { ChangeClient } from '../use-cases/change-client';
import { ProvisionClients } from '../use-cases/provision-clients';
import {
  ClientDetailView,
  ClientPage,
  ClientView,
  clientView,
  IssuedKeyView,
  IssuedSecretView,
  KeyView,
  keyView,
  ProvisionedClientView,
} from './client.view';
import { CreateClientBody, ListQuery, OverlapBody, UpdateClientBody } from './clients.dto';

@ApiTags('Operator: clients')
@Controller('operator/v1/clients')
export class ClientsController {
  constructor(
    private readonly provision: ProvisionClients,
    private readonly change: ChangeClient,
    private readonly clients: ClientReads,
    private readonly rails: Rails,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @OperatorRole('admin')
  @Describe('Make a client with its first key and secret', { addition: true })
  @Refuses('invalid_request')
  @ApiCreatedResponse({ type: ProvisionedClientView })
  async create(@Asking() asker: Asker, @Body() body: CreateClientBody): Promise<ProvisionedClientView> {
    this.check(body);
    const { client, apiKey, signingSecret } = await this.provision.create(asker, body);
    return { client: clientView(client), apiKey, signingSecret };
  }

  @Get()
  @List()
  @OperatorRole('viewer')
  @Describe('List clients, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_cursor')
  @ApiOkResponse({ type: ClientPage })
  async list(@Query() query: ListQuery): Promise<ClientPage> {
    const limit = limitOrDefault(query.limit);
    return pageOf(await this.clients.list(placeOf(query.cursor), limit), limit, clientView);
  }

  @Get(':id')
  @OperatorRole('viewer')
  @Describe('Read a client and its keys', {
    addition: true,
    description: `All keys that are good, and the latest ${ENDED_KEYS_LISTED} of those that ended.`,
  })
  @Refuses('client_not_found')
  @ApiOkResponse({ type: ClientDetailView })
  async read(@IdParam('client_not_found') id: string): Promise<ClientDetailView> {
    const client = await this.clients.find(id);
    if (!client) throw new Refusal('client_not_found');
    const { singleCapCents, dailyCapCents } = this.config;
    const { singleCents = singleCapCents, dailyCents = dailyCapCents } = client.caps;
    const effectiveCaps = { singleCents, dailyCents };
    return { ...clientView(client), effectiveCaps, keys: (await this.clients.keysOf(id)).map(keyView) };
  }

  @Patch(':id')
  @OperatorRole('admin')
  @Describe('Change, suspend or close a client', { addition: true })
  @Refuses('invalid_request', 'client_not_found', 'illegal_transition')
  @ApiOkResponse({ type: ClientView })
  async update(
    @Asking() asker: Asker,
    @IdParam('client_not_found') id: string,
    @Body() body: UpdateClientBody,
  ): Promise<ClientView> {
    this.check(body);
    return clientView(await this.change.run(asker, id, body));
  }

  @Post(':id/keys')
  @OperatorRole('admin')
  @Describe('Make a new API key; the old ones work until the overlap ends', { addition: true })
  @Refuses('invalid_request', 'client_not_found')
  @ApiCreatedResponse({ type: IssuedKeyView })
  rotateKey(
    @Asking() asker: Asker,
    @IdParam('client_not_found') id: string,
    @Body() body: OverlapBody,
  ): Promise<IssuedKeyView> {
    return this.provision.rotateKey(asker, id, body.overlapSeconds ?? 0);
  }

  @Delete(':id/keys/:keyId')
  @HttpCode(200)
  @OperatorRole('admin')
  @Describe('Revoke an API key at once', { addition: true })
  @Refuses('client_not_found', 'key_not_found')
  @ApiOkResponse({ type: KeyView })
  async revokeKey(
    @Asking() asker: Asker,
    @IdParam('client_not_found') id: string,
    @IdParam('key_not_found', 'keyId') keyId: string,
  ): Promise<KeyView> {
    return keyView(await this.provision.revokeKey(asker, id, keyId));
  }

  @Post(':id/signing-secret')
  @OperatorRole('admin')
  @Describe('Make a new signing secret; the old one verifies until the overlap ends', { addition: true })
  @Refuses('invalid_request', 'client_not_found')
  @ApiCreatedResponse({ type: IssuedSecretView })
  async rotateSecret(
    @Asking() asker: Asker,
    @IdParam('client_not_found') id: string,
    @Body() body: OverlapBody,
  ): Promise<IssuedSecretView> {
    return { signingSecret: await this.provision.rotateSigningSecret(asker, id, body.overlapSeconds ?? 0) };
  }

  /** Checks that depend on the deployment. */
  private check({ webhookUrl, floors = {}, railAllowList }: UpdateClientBody): void {
    const trouble = webhookUrl ? checkWebhookUrl(webhookUrl, this.config.production) : null;
    if (trouble) throw invalidField('webhookUrl', trouble);
    const known: string[] = [...PUBLISHED_RAILS, ...this.rails.all().map(({ definition: { name } }) => name)];
    const unknown = Object.keys(floors).find((rail) => !known.includes(rail));
    if (unknown) throw invalidField(`floors.${unknown}`, 'is no known rail');
    const place = (railAllowList ?? []).findIndex((rail) => !known.includes(rail));
    if (place >= 0) throw invalidField(`railAllowList[${place}]`, 'is no known rail');
  }
}
