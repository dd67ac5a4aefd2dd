import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, Scope } from '#libs/http-kit';
import { WalletReads } from '../db/wallet.reads';
import { WalletView, walletView } from './wallet.view';

@ApiTags('Wallet')
@Controller('api/v1/wallet')
export class WalletController {
  constructor(private readonly wallets: WalletReads) {}

  @Get()
  @Scope('payouts:read')
  @Describe('What a prepaid client has left, by currency', { addition: true })
  @ApiOkResponse({ type: [WalletView] })
  async read(@Caller() client: Client): Promise<WalletView[]> {
    return (await this.wallets.of(client.id)).map(walletView);
  }
}
