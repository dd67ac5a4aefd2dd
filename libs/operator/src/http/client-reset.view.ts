/** A reset client as operators read it. */
import { ApiProperty } from '@nestjs/swagger';
import type { Cleared } from '#libs/test-clock';

const count = (example: number) => ({ type: 'integer', minimum: 0, example }) as const;

export class ClearedView implements Cleared {
  @ApiProperty(count(3)) payees: number;
  @ApiProperty(count(12)) payouts: number;
  @ApiProperty(count(40)) disbursements: number;
  @ApiProperty(count(1)) walletEntries: number;
  @ApiProperty(count(57)) events: number;
  @ApiProperty(count(5)) mails: number;
}

export class ResetView {
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ type: ClearedView, description: 'How many there were.' }) cleared: ClearedView;
}
