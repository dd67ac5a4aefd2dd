import { ApiProperty } from '@nestjs/swagger';

export class PortalLinkView {
  @ApiProperty({ description: 'The mail is on its way to the payee.', example: true }) sent: boolean;
  @ApiProperty({
    format: 'date-time',
    description: 'Until then the link opens the wallet, once.',
    example: '2026-01-05T12:15:00.000Z',
  })
  expiresAt: string;
}
