/** The two words that tell how far a payee is, and the legal steps between identity checks. */
export const KYC_STATUSES = ['not_started', 'pending', 'verified', 'rejected'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

export const ONBOARDING_STATUSES = ['not_started', 'in_progress', 'complete', 'restricted'] as const;
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number];

const KYC_STEPS: Record<KycStatus, readonly KycStatus[]> = {
  not_started: ['pending'],
  pending: ['verified', 'rejected'],
  rejected: ['pending'],
  verified: ['pending', 'rejected'],
};

/** The statuses a payee passes on the way to `to`; a rail may report only the end of a legal path. */
export function kycPath(from: KycStatus, to: KycStatus): KycStatus[] {
  if (from === to) return [];
  if (KYC_STEPS[from].includes(to)) return [to];
  const between = KYC_STEPS[from].find((step) => KYC_STEPS[step].includes(to));
  return between ? [between, to] : [];
}
