import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { KYC_STATUSES } from '#libs/domain';
import { Check, CountryCode, EmailAddress, Limit, Locale, Metadata, OneOf, Reference, Text } from '#libs/http-kit';
import { ONBOARDING_OUTCOMES, type OnboardingOutcome } from '../use-cases/set-test-onboarding';

const clearable = { optional: true, nullable: true } as const;
const added = { 'x-addition': true };

export class UpsertPayeeBody {
  @Reference({ description: "The caller's own id; the key of the upsert.", example: 'creator-42' }) externalId: string;
  @EmailAddress(clearable) email?: string | null;
  @CountryCode(clearable) country?: string | null;
  @Text(1, 200, { ...clearable, description: 'The legal name.', example: 'Ada Lovelace' }) name?: string | null;
  @Locale({ ...clearable, description: 'The language of their pages and mails (BCP 47).', ...added })
  locale?: string | null;
  @Metadata(clearable) metadata?: Record<string, string> | null;
}

/** Letters a provider's ids are made of: one that reaches into another path of its API is none. */
const ACCOUNT_ID = /^[A-Za-z0-9_-]{1,255}$/;

export class AdoptMethodBody {
  @ApiProperty({ description: 'A custodial rail.', example: 'custodial_a' })
  @Check((value) => typeof value === 'string' && value.length <= 64, 'must be the name of a custodial rail')
  provider: string;

  @ApiProperty({ description: "The account's id at the rail.", example: 'acct_1Nv0FGQ9RKHgCVdK' })
  @Check((value) => typeof value === 'string' && ACCOUNT_ID.test(value), 'must be 1 to 255 letters, digits, _ or -')
  providerAccountId: string;
}

export class TestOnboardingBody {
  @OneOf(ONBOARDING_OUTCOMES, { example: 'verified' }) outcome: OnboardingOutcome;
  @Text(1, 1000, { optional: true, description: 'Becomes kycReason of a rejected payee.' }) reason?: string;
}

export class ListPayeesQuery {
  @Limit() limit?: number;
  @ApiProperty({ required: false, description: 'nextCursor of the page before.' })
  @IsOptional()
  @IsString({ message: 'must be sent once' })
  cursor?: string;
  @ApiProperty({ required: false, enum: KYC_STATUSES })
  @IsOptional()
  @IsString({ message: 'must be sent once' })
  kyc?: string;
  @ApiProperty({ type: String, required: false, description: '`true` or `false`; anything else is ignored.' })
  @IsOptional()
  payable?: unknown;
  @EmailAddress({ optional: true, description: 'Exact.', ...added }) email?: string;
  @Reference({ optional: true, description: 'Exact.', ...added }) externalId?: string;
}
