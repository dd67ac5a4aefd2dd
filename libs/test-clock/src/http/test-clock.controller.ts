import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Clock } from '#libs/domain';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { InjectClock } from '#libs/clock';
import { Describe, Refuses, Scope } from '#libs/http-kit';
import { AdvanceClock } from '../use-cases/advance-clock';
import { AdvanceClockBody, ClockView } from './test-clock.dto';

const DESCRIPTION = `Everything of the client becomes as old as if so much time had passed: days turn, cool-downs and keys end, claims
expire, and what is due by then begins at once. Ids and \`nextCursor2\` and the other cursors that skip nothing stay good, two calls add
up, and no other client is touched. Real are the time of requests and signatures, the rate limit, mails and their limits, and payloads of events.
What was answered 503 may have counted: read something of which you know how old it was.`;

@ApiTags('Test mode')
@Controller('api/v1/test/clock')
export class TestClockController {
  constructor(
    private readonly advance: AdvanceClock,
    @InjectClock() private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Let time pass', { addition: true, description: DESCRIPTION.replaceAll('\n', ' ') })
  @Refuses('invalid_request', 'not_found')
  @ApiOkResponse({ type: ClockView })
  async pass(@Caller() client: Client, @Body() { advanceSeconds }: AdvanceClockBody): Promise<ClockView> {
    const ran = await this.advance.run(client, advanceSeconds);
    return { now: this.clock.now().toISOString(), ran };
  }
}
