/** What callers read about payees and methods. */
import { ApiProperty } from '@nestjs/swagger';
import { KYC_STATUSES, type KycStatus, ONBOARDING_STATUSES, type OnboardingStatus } from '#libs/domain';
import type { Method, Payee } from '../payee';
import type { Readiness } from '../use-cases/read-readiness';

const nullableText = { type: String, nullable: true } as const;

export class PayeeView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: "The caller's own id." }) externalId: string;
  @ApiProperty(nullableText) email: string | null;
  @ApiProperty({ ...nullableText, description: 'The legal name.' }) name: string | null;
  @ApiProperty(nullableText) country: string | null;
  @ApiProperty({ description: 'True when the payee can be paid now.' }) payable: boolean;
  @ApiProperty({ enum: KYC_STATUSES }) kycStatus: KycStatus;
  @ApiProperty({ ...nullableText, description: 'Set only when kycStatus is `rejected`.' }) kycReason: string | null;
  @ApiProperty({ enum: ONBOARDING_STATUSES }) onboardingStatus: OnboardingStatus;
  @ApiProperty({ ...nullableText, description: 'The rail the payee resolves to now.' }) provider: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } }) metadata: Record<string, string>;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ format: 'date-time' }) updatedAt: string;
}

export function payeeView(payee: Payee): PayeeView {
  const { id, externalId, email, name, country, payable, kycStatus, kycReason, onboardingStatus, provider, metadata } =
    payee;
  return {
    id,
    externalId,
    email,
    name,
    country,
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
  @ApiProperty(nullableText) nextCursor: string | null;
}

export class MethodView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty() provider: string;
  @ApiProperty() providerAccountId: string;
  @ApiProperty() payable: boolean;
  @ApiProperty({ enum: ['active', 'replaced'] }) status: 'active' | 'replaced';
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ format: 'date-time' }) updatedAt: string;
}

export function methodView({
  id,
  payeeId,
  provider,
  providerAccountId,
  payable,
  status,
  createdAt,
  updatedAt,
}: Method): MethodView {
  return {
    id,
    payeeId,
    provider,
    providerAccountId,
    payable,
    status,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export class AdoptionView {
  @ApiProperty({ type: MethodView }) method: MethodView;
  @ApiProperty({ type: PayeeView }) payee: PayeeView;
}

export class ReadinessView {
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty({ description: 'True only when there are no blockers.' }) payable: boolean;
  @ApiProperty(nullableText) provider: string | null;
  @ApiProperty({ enum: KYC_STATUSES }) kycStatus: KycStatus;
  @ApiProperty({ type: [String], example: ['kyc_incomplete', 'not_payable'] }) blockers: string[];
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
