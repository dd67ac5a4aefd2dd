import { ApiProperty } from '@nestjs/swagger';
import { WholeNumber } from '#libs/http-kit';
import type { Ran } from '../use-cases/advance-clock';

const YEAR_SECONDS = 31_536_000;

export class AdvanceClockBody {
  @WholeNumber(1, YEAR_SECONDS, {
    description: 'How much time passes; a year at most, and in all until the client itself would be older than 1970.',
    example: 86_400,
  })
  advanceSeconds: number;
}

const count = (description: string, example: number) =>
  ({ type: 'integer', minimum: 0, description, example }) as const;

export class ClockRanView implements Ran {
  @ApiProperty(count('Payouts that are sent, or that the rail is asked about, from now on.', 3)) railQuestions: number;
  @ApiProperty(count('Payouts that are tried again from now on.', 0)) retries: number;
  @ApiProperty(count('Deliveries of events that are made, or tried again, from now on.', 1)) webhooks: number;
  @ApiProperty(count('Mails that are tried again from now on.', 0)) mails: number;
  @ApiProperty(count('Other work that begins now.', 0)) others: number;
  @ApiProperty(count('Payouts that waited for another day, and were released before the answer.', 2)) released: number;
}

export class ClockView {
  @ApiProperty({ format: 'date-time', description: 'The real time: requests are dated and signed as ever.' })
  now: string;
  @ApiProperty({ type: ClockRanView, description: 'What came due.' }) ran: ClockRanView;
}
