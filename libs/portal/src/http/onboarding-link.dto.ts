import { ApiProperty } from '@nestjs/swagger';
import { Check, OneOf } from '#libs/http-kit';
import { type Framing, FRAMINGS } from '../page-link';
import type { IssuedLink } from '../use-cases/issue-onboarding-link';

const LONGEST = 2_048;

export class OnboardingLinkBody {
  @ApiProperty({
    description:
      'Where the page sends the payee back to: an https address on the host of your webhook URL, or on this service.',
    example: 'https://app.example/payouts',
  })
  @Check(
    (value) => typeof value === 'string' && value.length <= LONGEST,
    `must be a URL of up to ${LONGEST} characters`,
  )
  returnUrl: string;

  @OneOf(FRAMINGS, {
    optional: true,
    description:
      '`iframe`: the page may be shown in a frame by the site of your webhook URL. `redirect`, the default: by none.',
    example: 'redirect',
  })
  mode?: Framing;
}

export class OnboardingLinkView {
  @ApiProperty({
    description: 'A page of this service. Whoever has the link needs no log-in.',
    example: 'https://pay.example/onboarding/3Yc0wG1bW0m2kR7x9vJ4u8QpLsZtNfHdEaXiCoBgVyM',
  })
  url: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The rail; null if none serves the payee.',
    example: 'mock',
  })
  provider: string | null;
  @ApiProperty({ enum: FRAMINGS, example: 'redirect' }) mode: Framing;
  @ApiProperty({
    format: 'date-time',
    description: '15 minutes after it was made.',
    example: '2026-01-05T12:15:00.000Z',
  })
  expiresAt: string;
}

export const onboardingLinkView = ({ url, provider, mode, expiresAt }: IssuedLink): OnboardingLinkView => ({
  ...{ url, provider, mode },
  expiresAt: expiresAt.toISOString(),
});
