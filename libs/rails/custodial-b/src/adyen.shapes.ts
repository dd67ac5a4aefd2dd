/** Adyen's answers, as far as this rail reads them. What it does not read may be anything. */

/** Its APIs speak of a problem in two ways: with a type and a title, or with a message. */
export interface Problem {
  status: number;
  errorCode?: string;
  title?: string;
  message?: string;
}

export interface Money {
  value: number;
  currency: string;
}

export interface Balance {
  available: number;
  currency: string;
}

export interface LegalEntity {
  id: string;
  individual?: { name?: { firstName: string; lastName: string }; residentialAddress?: { country: string } };
  transferInstruments?: { id: string; accountIdentifier: string; realLastFour?: string }[];
}

export interface TransferInstrument {
  id: string;
  bankAccount: { bankName?: string };
}

export interface OnboardingLink {
  url: string;
}

export interface VerificationError {
  type?: string;
  message?: string;
}

export interface Capability {
  allowed?: boolean;
  enabled?: boolean;
  verificationStatus?: string;
  problems?: { verificationErrors?: VerificationError[] }[];
  transferInstruments?: { id?: string; allowed?: boolean }[];
}

export interface AccountHolder {
  id: string;
  legalEntityId: string;
  reference?: string;
  status?: string;
  balancePlatform?: string;
  primaryBalanceAccount?: string;
  capabilities?: Record<string, Capability>;
}

export interface AccountHolders {
  accountHolders: AccountHolder[];
  hasNext: boolean;
}

export interface BalanceAccount {
  id: string;
  accountHolderId: string;
  reference?: string;
  balances?: Balance[];
}

export interface BalanceAccounts {
  balanceAccounts: BalanceAccount[];
  hasNext: boolean;
}

export interface TransferEvent {
  status?: string;
  updateDate?: string;
  bookingDate?: string;
  trackingData?: { type?: string; status?: string };
  mutations?: { balance?: number; currency?: string }[];
}

export interface Transfer {
  id: string;
  status: string;
  reason?: string;
  reference?: string;
  description?: string;
  category: string;
  direction?: string;
  amount: Money;
  createdAt?: string;
  updatedAt?: string;
  balanceAccount?: { id?: string };
  accountHolder?: { id?: string };
  counterparty?: { balanceAccountId?: string; transferInstrumentId?: string };
  tracking?: { type?: string; status?: string };
  events?: TransferEvent[];
}

export interface Transfers {
  data: Transfer[];
  _links?: { next?: { href?: string } };
}

type Fields = Record<string, unknown>;
type Is = (value: unknown) => boolean;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isText: Is = (value) => typeof value === 'string' && value !== '';
const isTruth: Is = (value) => typeof value === 'boolean';
const isWhole: Is = (value) => Number.isSafeInteger(value);
/** Adyen leaves out what there is not, or says null. */
const may = (value: unknown, is: Is): boolean => (value ?? null) === null || is(value);
const areAll =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);
const each =
  (is: Is): Is =>
  (value) =>
    Object.values(fields(value)).every(is);
const isTime: Is = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isMoney: Is = (value) => isWhole(fields(value).value) && isText(fields(value).currency);

export function isProblem(value: unknown): value is Problem {
  const { status, errorCode, title, message } = fields(value);
  return isWhole(status) && may(errorCode, isText) && (isText(title) || isText(message) || isText(errorCode));
}

const isInstrument: Is = (value) => {
  const { id, accountIdentifier, realLastFour } = fields(value);
  return isText(id) && isText(accountIdentifier) && may(realLastFour, isText);
};

export function isLegalEntity(value: unknown): value is LegalEntity {
  const { id, individual, transferInstruments } = fields(value);
  const { name, residentialAddress } = fields(individual);
  const isNamed = may(name, (it) => isText(fields(it).firstName) && isText(fields(it).lastName));
  const isPlaced = may(residentialAddress, (it) => isText(fields(it).country));
  return isText(id) && isNamed && isPlaced && may(transferInstruments, areAll(isInstrument));
}

export const isTransferInstrument = (value: unknown): value is TransferInstrument =>
  isText(fields(value).id) && may(fields(fields(value).bankAccount).bankName, isText);

export const isOnboardingLink = (value: unknown): value is OnboardingLink => isText(fields(value).url);

const isError: Is = (value) => may(fields(value).type, isText) && may(fields(value).message, isText);
const isObstacle: Is = (value) => may(fields(value).verificationErrors, areAll(isError));
const isSupport: Is = (value) => may(fields(value).id, isText) && may(fields(value).allowed, isTruth);

const isCapability: Is = (value) => {
  const { allowed, enabled, verificationStatus, problems, transferInstruments } = fields(value);
  const isSaid = may(allowed, isTruth) && may(enabled, isTruth) && may(verificationStatus, isText);
  return isSaid && may(problems, areAll(isObstacle)) && may(transferInstruments, areAll(isSupport));
};

export function isAccountHolder(value: unknown): value is AccountHolder {
  const { id, legalEntityId, reference, status, balancePlatform, primaryBalanceAccount, capabilities } = fields(value);
  const areTexts = [reference, status, balancePlatform, primaryBalanceAccount].every((it) => may(it, isText));
  return isText(id) && isText(legalEntityId) && areTexts && may(capabilities, each(isCapability));
}

export const isAccountHolders = (value: unknown): value is AccountHolders =>
  areAll(isAccountHolder)(fields(value).accountHolders) && isTruth(fields(value).hasNext);

const isBalance: Is = (value) => isWhole(fields(value).available) && isText(fields(value).currency);

export function isBalanceAccount(value: unknown): value is BalanceAccount {
  const { id, accountHolderId, reference, balances } = fields(value);
  return isText(id) && isText(accountHolderId) && may(reference, isText) && may(balances, areAll(isBalance));
}

export const isBalanceAccounts = (value: unknown): value is BalanceAccounts =>
  areAll(isBalanceAccount)(fields(value).balanceAccounts) && isTruth(fields(value).hasNext);

const isMutation: Is = (value) => may(fields(value).balance, isWhole) && may(fields(value).currency, isText);

const isEvent: Is = (value) => {
  const { status, updateDate, bookingDate, mutations } = fields(value);
  return (
    may(status, isText) && may(updateDate, isTime) && may(bookingDate, isTime) && may(mutations, areAll(isMutation))
  );
};

export function isTransfer(value: unknown): value is Transfer {
  const { id, status, reason, reference, description, category, direction, amount } = fields(value);
  const { createdAt, updatedAt, events } = fields(value);
  const isNamed = isText(id) && isText(status) && isText(category);
  const isTold = [reason, reference, description, direction].every((it) => may(it, isText));
  const isDated = may(createdAt, isTime) && may(updatedAt, isTime);
  return isNamed && isTold && isDated && isMoney(amount) && may(events, areAll(isEvent));
}

/** `data` may be missing by the schema: such an answer says nothing, and not that there is nothing. */
export const isTransfers = (value: unknown): value is Transfers =>
  areAll(isTransfer)(fields(value).data) && may(fields(fields(fields(value)._links).next).href, isText);
