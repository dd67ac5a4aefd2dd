import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ActingOperator, type Operator } from '#libs/auth';
import { Describe, IdParam, OperatorRole, Refuses } from '#libs/http-kit';
import { ResetClient } from '../use-cases/reset-client';
import { ClearedView, ResetView } from './client-reset.view';

const DESCRIPTION = `All that came to be of a client in test mode goes, at once or not at all: payees and their accounts, payouts,
owed rows, wallets, events, mails, links, differences, keys of requests, and what the mock rail knows of it. Its name, keys, secrets,
webhook and settings stay, and the same \`externalId\` and \`idempotencyKey\` work anew. A live client is refused. What was under way
ends; a request that the reset met halfway may be answered 503 or 404.`;

@ApiTags('Operator: clients')
@Controller('operator/v1/clients')
export class ClientResetController {
  constructor(private readonly reset: ResetClient) {}

  @Post(':id/reset')
  @HttpCode(200)
  @OperatorRole('admin')
  @Describe('Make a test client as new', { addition: true, description: DESCRIPTION.replaceAll('\n', ' ') })
  @Refuses('client_not_found', 'client_is_live')
  @ApiOkResponse({ type: ResetView })
  async run(@ActingOperator() { name }: Operator, @IdParam('client_not_found') id: string): Promise<ResetView> {
    const cleared: ClearedView = await this.reset.run(name, id);
    return { clientId: id, cleared };
  }
}
