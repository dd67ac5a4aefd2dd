/** Payees and methods as callers read them. */
import { ApiProperty } from '@nestjs/swagger';
import { KYC_STATUSES, type KycStatus, ONBOARDING_STATUSES, type OnboardingStatus } from '#libs/domain';
import type { Method, Payee } from '../payee';
import type { Readiness } from '../use-cases/read-readiness';

const nullableText = { type: String, nullable: true } as const;
const nextPage = { ...nullableText, description: 'Give it back as `cursor`; null on the last page.' };
const added = { 'x-addition': true };
const texts = { type: 'object', additionalProperties: { type: 'string' } } as const;

export class PayeeView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: "The caller's own id.", example: 'creator-42' }) externalId: string;
  @ApiProperty({ ...nullableText, example: 'ada@example.com' }) email: string | null;
  @ApiProperty({ ...nullableText, description: 'The legal name.', example: 'Ada Lovelace' }) name: string | null;
  @ApiProperty({ ...nullableText, description: 'ISO 3166-1 alpha-2.', example: 'US' }) country: string | null;
  @ApiProperty({ ...nullableText, description: 'The language of their pages and mails.', example: 'pt-BR', ...added })
  locale: string | null;
  @ApiProperty({ description: 'True when the payee can be paid now.', example: true }) payable: boolean;
  @ApiProperty({ enum: KYC_STATUSES, example: 'verified' }) kycStatus: KycStatus;
  @ApiProperty({ ...nullableText, description: 'Set only when kycStatus is `rejected`.' }) kycReason: string | null;
  @ApiProperty({ enum: ONBOARDING_STATUSES, example: 'complete' }) onboardingStatus: OnboardingStatus;
  @ApiProperty({ ...nullableText, description: 'The rail the payee resolves to now.', example: 'mock' })
  provider: string | null;
  @ApiProperty({ ...texts, example: { team: 'creators' } }) metadata: Record<string, string>;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ format: 'date-time' }) updatedAt: string;
}

export function payeeView(payee: Payee): PayeeView {
  const { id, externalId, email, name, country, locale, payable, provider, metadata } = payee;
  const { kycStatus, kycReason, onboardingStatus } = payee;
  return {
    id,
    externalId,
    email,
    name,
    country,
    locale,
    payable,
    kycStatus,
    kycReason,
    onboardingStatus,
    provider,
    metadata,
    createdAt: payee.createdAt.toISOString(),
    updatedAt: payee.updatedAt.toISOString(),
  };
}

export class PayeePage {
  @ApiProperty({ type: [PayeeView] }) data: PayeeView[];
  @ApiProperty(nextPage) nextCursor: string | null;
}

/** Details by which a person recognises an account. Only the end of its number is ever known here. */
export class AccountDetailsView {
  @ApiProperty({ ...nullableText, description: 'The bank, or the brand of a card or wallet.', example: 'Mock Bank' })
  brand: string | null;
  @ApiProperty({ ...nullableText, description: "The end of the account's number.", example: '4242' }) last4:
    string | null;
  @ApiProperty({ ...nullableText, description: 'ISO 4217.', example: 'USD' }) currency: string | null;
  @ApiProperty({ ...nullableText, description: 'ISO 3166-1 alpha-2.', example: 'US' }) country: string | null;
  @ApiProperty({ ...nullableText, description: "Its owner's, as the provider verified it.", example: 'Ada Lovelace' })
  name: string | null;
  @ApiProperty({ format: 'date-time', description: 'When the rail said so last.' }) readAt: string;
}

export class MethodView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty({ description: 'A custodial rail.', example: 'custodial_a' }) provider: string;
  @ApiProperty({ description: "The account's id at the rail.", example: 'acct_1Nv0FGQ9RKHgCVdK' })
  providerAccountId: string;
  @ApiProperty({ description: 'What the rail itself said.', example: true }) payable: boolean;
  @ApiProperty({ enum: ['active', 'replaced'], description: 'A payee has one active method.', example: 'active' })
  status: 'active' | 'replaced';
  @ApiProperty({
    type: AccountDetailsView,
    nullable: true,
    description:
      'null if the rail does not tell what a person recognises the account by. Each field may be null as well.',
    ...added,
  })
  details: AccountDetailsView | null;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ format: 'date-time' }) updatedAt: string;
}

export function methodView(method: Method): MethodView {
  const { id, payeeId, provider, providerAccountId, payable, status, createdAt, updatedAt } = method;
  return {
    id,
    payeeId,
    provider,
    providerAccountId,
    payable,
    status,
    details: detailsView(method),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function detailsView({ details, detailsAt, accountCountry: country }: Method): AccountDetailsView | null {
  if (!details || !detailsAt) return null;
  const { brand, last4, currency, name } = details;
  return { brand, last4, currency, country, name, readAt: detailsAt.toISOString() };
}

export class AdoptionView {
  @ApiProperty({ type: MethodView }) method: MethodView;
  @ApiProperty({ type: PayeeView }) payee: PayeeView;
}

export class ReadinessView {
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty({ description: 'True only when there are no blockers.', example: false }) payable: boolean;
  @ApiProperty({ ...nullableText, description: 'The rail that would pay.', example: 'mock' }) provider: string | null;
  @ApiProperty({ enum: KYC_STATUSES, example: 'pending' }) kycStatus: KycStatus;
  @ApiProperty({
    type: [String],
    description: 'Why not, in machine-readable words.',
    example: ['kyc_incomplete', 'not_payable'],
  })
  blockers: string[];
  @ApiProperty({ format: 'date-time' }) checkedAt: string;
  @ApiProperty({ required: false, description: 'The rail could not be asked; this is the last known state.' })
  stale?: true;
}

export function readinessView({ payee, blockers, checkedAt, stale }: Readiness): ReadinessView {
  return {
    payeeId: payee.id,
    payable: blockers.length === 0,
    provider: payee.provider,
    kycStatus: payee.kycStatus,
    blockers,
    checkedAt: checkedAt.toISOString(),
    ...(stale ? { stale } : {}),
  };
}
