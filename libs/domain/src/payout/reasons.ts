/**
 * Why a payout is held or failed: each code with who can act on it and how, in plain words.
 * docs/reasons.md is printed from this table, and `statusReason` always leads with one of its codes.
 */
export interface Reason {
  state: 'held' | 'failed';
  /** Who can clear it. */
  actor: 'caller' | 'payee' | 'operator' | 'nobody';
  releasesItself: string | null;
  trigger: string;
  remedy: string;
}

const held = (
  actor: Reason['actor'],
  trigger: string,
  remedy: string,
  releasesItself: string | null = null,
): Reason => ({
  state: 'held',
  actor,
  releasesItself,
  trigger,
  remedy,
});
const failed = (actor: Reason['actor'], trigger: string, remedy: string): Reason => ({
  state: 'failed',
  actor,
  releasesItself: null,
  trigger,
  remedy,
});

export const REASONS = {
  missing_email: held('caller', 'The payee has no e-mail address.', 'Set the e-mail address, then release.'),
  missing_country: held('caller', 'The payee has no country.', 'Set the country, then release.'),
  missing_name: held('caller', 'The payee has no legal name.', 'Set the name, then release.'),
  route_blocked: held(
    'operator',
    'The operator blocked the payee or the country, or has to find out where its money is.',
    'Ask the operator to lift the block, or to settle what is in dispute, then release.',
  ),
  no_rail: held('operator', 'No rail serves the country.', 'Correct the country or configure a rail, then release.'),
  provider_not_configured: held(
    'operator',
    'The rail has no credentials in this deployment.',
    'Ask the operator to configure the rail, then release.',
  ),
  rail_not_allowed: held(
    'operator',
    "The rail is outside the client's allow-list, or checks no payees although the client asks for it.",
    'Ask the operator to widen the allow-list, or to route the payee to another rail, then release.',
  ),
  provider_not_supported: held(
    'caller',
    "The payee's rail does not serve the country.",
    'Choose a rail that serves the country, then release.',
  ),
  country_not_supported_by_provider: held(
    'caller',
    "The country of the rail account differs from the payee's.",
    'Correct the country or adopt another account, then release.',
  ),
  currency_not_supported: held(
    'caller',
    'The rail does not pay out this currency.',
    'Choose a rail that pays this currency, then release.',
  ),
  not_payable: held('payee', 'The resolved method is not payable.', 'Finish onboarding, then release.'),
  cap_exceeded_single: held(
    'caller',
    'The amount is over the cap of a single payout.',
    'Split the payout or ask the operator for a higher cap, then release.',
  ),
  cap_exceeded_daily: held(
    'caller',
    "The payee's payouts of this UTC day reach the daily cap.",
    'Wait for the next UTC day or ask the operator for a higher cap.',
    'when the UTC day turns',
  ),
  below_min_payout: held(
    'caller',
    "The amount is under the rail's floor.",
    'Wait until enough has accrued, or release, which bypasses the floor.',
    'when what is held for this payee, rail and currency reaches the floor',
  ),
  amount_not_supported: held(
    'caller',
    'The rail takes no such amount in this currency: it is too much, or not a multiple of what the rail counts in.',
    'Create payouts of amounts that it takes. If the payee is paid over another rail since, release.',
  ),
  insufficient_funds: held('operator', 'The wallet or the rail is short of funds.', 'Fund it.', 'when funds arrive'),
  unsupported_country: held('caller', 'Legacy; no longer produced.', 'Release.'),
  authorized_payout_missing_provider: failed(
    'operator',
    'An authorized payout lost its rail.',
    'Contact the operator.',
  ),
  rail_out_of_funds: failed(
    'nobody',
    'A custody-free rail is short of its own funds.',
    'None: the service retries it.',
  ),
  rail_refused: failed(
    'caller',
    'The rail refused the payout.',
    'Read the detail; retry when failureKind is transient.',
  ),
  claim_expired: failed(
    'payee',
    'The payee did not claim the money in time, or it was taken back at the provider: nothing landed.',
    'Create a new payout if it is still owed.',
  ),
  given_up: failed('nobody', 'The operator gave the payout up.', 'None. Create a new payout if it is still owed.'),
  paid_after_all: failed(
    'nobody',
    'It had failed, and the operator found that its money arrived after all.',
    'None: the payee has the money. Make no other payout for it.',
  ),
  cancelled_by_client: failed(
    'nobody',
    'Its caller cancelled the payout before it left.',
    'None. Create a new payout, or withdraw, if it is still owed.',
  ),
  bank_returned: failed('nobody', 'The bank sent back money that had arrived.', 'Correct the account, then pay again.'),
} as const satisfies Record<string, Reason>;

export type KnownReason = keyof typeof REASONS;

/**
 * Causes that a client may let go on by themselves once they are gone. An operator's block is not among them: whoever lifts it looks at
 * what was held. Causes that go on by themselves for everybody are included, so that a complete list can be given.
 */
export const AUTO_RELEASED = [
  ...(['missing_email', 'missing_country', 'missing_name', 'not_payable', 'rail_not_allowed', 'no_rail'] as const),
  ...(['provider_not_configured', 'provider_not_supported', 'country_not_supported_by_provider'] as const),
  ...(['currency_not_supported', 'amount_not_supported', 'cap_exceeded_single', 'cap_exceeded_daily'] as const),
  ...(['below_min_payout', 'insufficient_funds'] as const),
] satisfies readonly KnownReason[];
export type AutoReleased = (typeof AUTO_RELEASED)[number];

/**
 * What a payee, who knows nothing of rails and caps, is told: what it means for their money, and whether they can do something. The
 * pages have the sentences, in each language.
 */
export const PAYEE_NOTICES = [
  'details',
  'set_up',
  'on_hold',
  'being_seen_to',
  'tried_again',
  'not_accepted',
  'tomorrow',
  'too_little',
  'not_taken',
  'unclaimed',
  'called_off',
  'sent_back',
] as const;
export type PayeeNotice = (typeof PAYEE_NOTICES)[number];

export const NOTICE_OF: Record<KnownReason, PayeeNotice> = {
  missing_email: 'details',
  missing_country: 'details',
  missing_name: 'details',
  route_blocked: 'on_hold',
  no_rail: 'being_seen_to',
  provider_not_configured: 'being_seen_to',
  rail_not_allowed: 'being_seen_to',
  provider_not_supported: 'details',
  country_not_supported_by_provider: 'details',
  currency_not_supported: 'being_seen_to',
  not_payable: 'set_up',
  cap_exceeded_single: 'being_seen_to',
  cap_exceeded_daily: 'tomorrow',
  below_min_payout: 'too_little',
  amount_not_supported: 'being_seen_to',
  insufficient_funds: 'being_seen_to',
  unsupported_country: 'being_seen_to',
  authorized_payout_missing_provider: 'being_seen_to',
  rail_out_of_funds: 'tried_again',
  rail_refused: 'not_taken',
  claim_expired: 'unclaimed',
  given_up: 'called_off',
  paid_after_all: 'being_seen_to',
  cancelled_by_client: 'called_off',
  bank_returned: 'sent_back',
};

/** A routed rail that this deployment does not carry has its name in the code. */
export type ReasonCode = KnownReason | `provider_${string}_not_implemented`;

export const notImplemented = (rail: string): ReasonCode => `provider_${rail}_not_implemented`;

/** `code`, or `code: detail` if there is more to say. */
export function statusReason(code: ReasonCode, detail?: string | null): string {
  return detail ? `${code}: ${detail}` : code;
}

/** A routed rail that is not carried here is for others to see to. */
export function noticeOf(statusReasonText: string | null): PayeeNotice {
  const code = reasonCodeOf(statusReasonText);
  return (code && (NOTICE_OF as Record<string, PayeeNotice>)[code]) ?? 'being_seen_to';
}

/** Whether a waiting payout can have this code as its reason. */
export const isHolding = (code: string): boolean =>
  Object.hasOwn(REASONS, code)
    ? REASONS[code as KnownReason].state === 'held'
    : /^provider_.+_not_implemented$/.test(code);

export function reasonCodeOf(statusReasonText: string | null): ReasonCode | null {
  return statusReasonText === null ? null : (statusReasonText.split(':', 1)[0] as ReasonCode);
}
