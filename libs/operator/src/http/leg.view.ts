import { ApiProperty } from '@nestjs/swagger';
import type { Leg } from '#libs/payout-rules';

const time = { type: String, nullable: true, format: 'date-time' } as const;

export class LegView {
  @ApiProperty({ description: "The rail's word for it.", example: 'payout' }) name: string;
  @ApiProperty({ description: 'The idempotency code of this call at the rail.', example: 'gw9b1de07a' }) key: string;
  @ApiProperty({ type: 'integer', description: 'How often it was sent; each time with the same code.', example: 1 })
  sends: number;
  @ApiProperty({ ...time, description: 'For how long its code is honoured counts from then; null before.' })
  firstSentAt: string | null;
  @ApiProperty({ description: 'It is to be sent, and nobody took that on yet.', example: false }) toSend: boolean;
  @ApiProperty({ ...time, description: 'The rail has no use for it before; null: it has.' }) notBefore: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the rail said of the payout since it was sent last; null if nothing is on record.',
    example: 'accepted',
  })
  answer: string | null;
  @ApiProperty({ description: 'The payout ended with it, or began anew since.', example: false }) over: boolean;
  @ApiProperty({ description: 'It is made once the payee has said where the money goes.', example: false })
  awaitsPayee: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'Where the payee wants the money.', example: 'bc1q9h6' })
  destination: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the rail refused that, as the payee was told.',
    example: 'This address is on another network.',
  })
  refusal: string | null;
}

export function legView({ name, key, sends, firstSentAt, toSend, notBefore, said, over, ...begun }: Leg): LegView {
  const { awaitsPayee = false, destination = null, refusal = null } = begun;
  return {
    ...{ name, key, sends, firstSentAt, toSend, notBefore, over },
    answer: said,
    ...{ awaitsPayee, destination, refusal },
  };
}
