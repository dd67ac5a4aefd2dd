/** An account holder of Adyen's in our words. */
import type { AccountDetails, AccountFact } from '#libs/rail-kit';
import type { AccountHolder, Capability, LegalEntity, TransferInstrument, VerificationError } from './adyen.shapes';

type Standing = Extract<AccountFact, { kind: 'account' }>;

/** The capabilities that a payout needs: to receive it from us, to send it to the bank, and to give it back if the bank refuses it. */
export const NEEDED = ['receiveFromBalanceAccount', 'sendToTransferInstrument', 'sendToBalanceAccount'] as const;

const MOST_CHARACTERS = 500;

const neededOf = ({ capabilities = {} }: AccountHolder): (Capability | undefined)[] =>
  NEEDED.map((name) => (Object.hasOwn(capabilities, name) ? capabilities[name] : undefined));

const isAllowed = (capability?: Capability): boolean =>
  capability?.allowed === true && (capability.enabled ?? true) === true;

export const isPayable = (holder: AccountHolder): boolean =>
  holder.status === 'active' &&
  holder.primaryBalanceAccount !== undefined &&
  neededOf(holder).every(isAllowed) &&
  instrumentOf(holder) !== null;

/** The bank account that is paid: the first that Adyen lets money go to. */
export function instrumentOf({ capabilities = {} }: AccountHolder): string | null {
  const all = capabilities.sendToTransferInstrument?.transferInstruments ?? [];
  return all.find(({ id, allowed }) => id !== undefined && allowed === true)?.id ?? null;
}

export function standingOf(holder: AccountHolder, entity: LegalEntity, bank: TransferInstrument | null): AccountFact {
  const payable = isPayable(holder);
  const kyc = kycOf(holder);
  return {
    kind: 'account',
    payable,
    kyc,
    kycReason: kyc === 'rejected' ? whyOf(holder) : null,
    onboarding: onboardingOf(kyc, entity),
    country: entity.individual?.residentialAddress?.country ?? null,
    details: {
      ...detailsOf(holder, entity, bank, kyc),
      ...(kyc === 'rejected' && isForGood(holder) ? { isRejectedForGood: true as const } : {}),
    },
  };
}

/** Adyen asks for what is missing as it does for what was wrong: only the second was handed in. */
const REJECTED = new Set(['invalidInput', 'rejected']);

function kycOf(holder: AccountHolder): Standing['kyc'] {
  if (isShut(holder)) return 'rejected';
  const needed = neededOf(holder);
  if (needed.every(isAllowed)) return 'verified';
  const statuses = needed.map((capability) => capability?.verificationStatus);
  const errors = errorsOf(holder);
  if (statuses.includes('rejected') || errors.some(({ type = '' }) => REJECTED.has(type))) return 'rejected';
  const isMissing = statuses.includes('invalid') && errors.some(({ type }) => type === 'dataMissing');
  return isMissing || statuses.every((status) => status === undefined) ? 'not_started' : 'pending';
}

const isShut = ({ status }: AccountHolder): boolean => status === 'suspended' || status === 'closed';

/** Where something was wrong with what was handed in, it can be handed in once more. */
const isForGood = (holder: AccountHolder): boolean =>
  isShut(holder) ||
  (errorsOf(holder).length === 0 && neededOf(holder).some((known) => known?.verificationStatus === 'rejected'));

function errorsOf(holder: AccountHolder): VerificationError[] {
  const problems = neededOf(holder).flatMap((capability) => capability?.problems ?? []);
  return problems.flatMap(({ verificationErrors = [] }) => verificationErrors);
}

/** Adyen's reasons about what was handed in; something that is merely missing is not a reason. */
function whyOf(holder: AccountHolder): string | null {
  const errors = errorsOf(holder);
  const told = errors.filter(({ type = '' }) => REJECTED.has(type));
  const messages = (told.length === 0 ? errors : told).flatMap(({ message }) => message ?? []);
  const why = [...new Set(messages)].join(' ').slice(0, MOST_CHARACTERS);
  if (why !== '') return why;
  return isShut(holder) ? `The account is ${holder.status}.` : null;
}

function onboardingOf(kyc: Standing['kyc'], { transferInstruments = [] }: LegalEntity): Standing['onboarding'] {
  if (kyc === 'rejected') return 'restricted';
  if (kyc === 'not_started') return transferInstruments.length === 0 ? 'not_started' : 'in_progress';
  return transferInstruments.length === 0 ? 'in_progress' : 'complete';
}

/** The name is what the owner gave, until Adyen has checked it. */
function detailsOf(
  holder: AccountHolder,
  { individual, transferInstruments = [] }: LegalEntity,
  bank: TransferInstrument | null,
  kyc: Standing['kyc'],
): AccountDetails {
  const id = instrumentOf(holder);
  const known = transferInstruments.find((each) => each.id === id) ?? transferInstruments[0];
  const { firstName, lastName } = individual?.name ?? {};
  return {
    brand: bank?.bankAccount.bankName ?? null,
    last4: known ? lastFour(known.realLastFour ?? known.accountIdentifier) : null,
    currency: null,
    name: kyc === 'verified' && firstName !== undefined && lastName !== undefined ? `${firstName} ${lastName}` : null,
  };
}

/** A masked number such as `******************3000`. */
const lastFour = (number: string): string | null => /[0-9A-Za-z]{2,4}$/.exec(number)?.[0] ?? null;
