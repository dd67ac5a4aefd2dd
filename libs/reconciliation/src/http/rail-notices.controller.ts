import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { FailedAttempts } from '#libs/auth';
import { Describe, type GatewayRequest, Open, Refuses } from '#libs/http-kit';
import { ReceiveNotice } from '../use-cases/receive-notice';

export class NoticeTakenView {
  @ApiProperty({ example: true }) received: true;
}

export class NoticesView {
  @ApiProperty({ example: true }) takesNotices: true;
}

@ApiTags('Rails')
@Controller('rails/v1')
export class RailNoticesController {
  constructor(
    private readonly notices: ReceiveNotice,
    private readonly failures: FailedAttempts,
  ) {}

  /** Some providers ask by HEAD whether there is anybody, before they send the first one. */
  @Get(':rail/notices')
  @Open()
  @ApiParam({ name: 'rail', description: 'The name of the rail whose provider calls.', example: 'custodial_a' })
  @Describe('Whether a provider can call us', { addition: true })
  @Refuses('not_found')
  @ApiOkResponse({ type: NoticesView })
  asked(@Param('rail') rail: string): NoticesView {
    this.notices.refuseOthers(rail);
    return { takesNotices: true };
  }

  /** Signed in the provider's own way, which its rail knows. */
  @Post(':rail/notices')
  @HttpCode(200)
  @Open()
  @ApiParam({ name: 'rail', description: 'The name of the rail whose provider calls.', example: 'custodial_a' })
  @Describe('Where a provider calls us', { addition: true })
  @Refuses('invalid_request', 'invalid_signature', 'not_found', 'rate_limited')
  @ApiOkResponse({ type: NoticeTakenView })
  async take(@Param('rail') rail: string, @Req() request: GatewayRequest): Promise<NoticeTakenView> {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    );
    await this.failures.counted(request, () => this.notices.run(rail, { headers, body: request.rawBody }));
    return { received: true };
  }
}
