/** Stripe's answers, as far as this rail reads them. What it does not read may be anything. */
export interface Problem {
  error: { type: string; code?: string };
}

export interface List<Each> {
  data: Each[];
  has_more: boolean;
}

export interface Transfer {
  id: string;
  amount: number;
  amount_reversed: number;
  currency: string;
  created: number;
  reversed: boolean;
  destination: string;
  metadata: Record<string, string>;
}

/** As lists of all transfers have it, also of those that somebody else made: the money alone is read. */
export type MovedTransfer = Pick<Transfer, 'id' | 'amount' | 'amount_reversed' | 'currency' | 'created' | 'metadata'>;

export interface ReversalEvent {
  id: string;
  data: { object: MovedTransfer };
}

export interface Reversal {
  id: string;
  amount: number;
}

export interface Payout {
  id: string;
  status: string;
  amount: number;
  currency: string;
  created: number;
  arrival_date: number;
  failure_code: string | null;
  metadata: Record<string, string>;
}

export interface PaidEvent {
  id: string;
  type: string;
  data: { object: { id: string } };
}

export interface Balance {
  available: { amount: number; currency: string }[];
}

export interface Account {
  id: string;
  country?: string;
  details_submitted?: boolean;
  payouts_enabled?: boolean;
  capabilities?: { transfers?: string };
  requirements?: {
    disabled_reason?: string | null;
    currently_due?: string[] | null;
    pending_verification?: string[] | null;
    errors?: { reason: string }[] | null;
  };
  settings?: { payouts?: { schedule: { interval: string } } };
  individual?: { first_name?: string | null; last_name?: string | null };
  external_accounts?: { data: ExternalAccount[] };
  metadata?: Record<string, string>;
}

/** A bank account, or a card. */
export interface ExternalAccount {
  last4: string;
  currency?: string | null;
  bank_name?: string | null;
  brand?: string;
  default_for_currency?: boolean | null;
}

/** A page of Stripe's that a person fills in. */
export interface AccountLink {
  url: string;
  expires_at: number;
}

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
/** Stripe says null where there is nothing, or says nothing. */
const may = (value: unknown, is: (value: unknown) => boolean): boolean => (value ?? null) === null || is(value);
const areAll =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(is);
const isMetadata = (value: unknown): boolean => Object.values(fields(value)).every((each) => typeof each === 'string');

export function isProblem(value: unknown): value is Problem {
  const { type, code } = fields(fields(value).error);
  return isText(type) && (code === undefined || isText(code));
}

const isMoney = (value: unknown): boolean => isWhole(fields(value).amount) && isText(fields(value).currency);

function isMovedTransfer(value: unknown): value is MovedTransfer {
  const { id, created, amount_reversed, metadata } = fields(value);
  return isText(id) && isMetadata(metadata) && isMoney(value) && isWhole(amount_reversed) && isWhole(created);
}

export function isTransfer(value: unknown): value is Transfer {
  const { reversed, destination } = fields(value);
  return isMovedTransfer(value) && isText(destination) && typeof reversed === 'boolean';
}

const isReversalEvent = (value: unknown): value is ReversalEvent =>
  isText(fields(value).id) && isMovedTransfer(fields(fields(value).data).object);

export const isReversal = (value: unknown): value is Reversal =>
  isText(fields(value).id) && isWhole(fields(value).amount);

export function isPayout(value: unknown): value is Payout {
  const { id, status, created, arrival_date, failure_code, metadata } = fields(value);
  const isNamed = isText(id) && isText(status) && isMetadata(metadata);
  const isDated = isWhole(created) && isWhole(arrival_date);
  return isNamed && isMoney(value) && isDated && may(failure_code, isText);
}

const isEvent = (value: unknown): value is PaidEvent =>
  [fields(value).id, fields(value).type, fields(fields(fields(value).data).object).id].every(isText);

const listOf =
  <Each>(is: (value: unknown) => value is Each) =>
  (value: unknown): value is List<Each> => {
    const { data, has_more } = fields(value);
    return Array.isArray(data) && data.every(is) && typeof has_more === 'boolean';
  };
export const isTransfers = listOf(isTransfer);
export const isMovedTransfers = listOf(isMovedTransfer);
export const isReversalEvents = listOf(isReversalEvent);
export const isPayouts = listOf(isPayout);
export const isEvents = listOf(isEvent);

export const isBalance = (value: unknown): value is Balance => {
  const { available } = fields(value);
  return Array.isArray(available) && available.every(isMoney);
};

export function isAccount(value: unknown): value is Account {
  const { id, country, capabilities, requirements, settings, external_accounts, metadata } = fields(value);
  return (
    isText(id) &&
    may(country, isText) &&
    may(fields(capabilities).transfers, isText) &&
    may(requirements, areRequirements) &&
    may(fields(settings).payouts, (payouts) => isText(fields(fields(payouts).schedule).interval)) &&
    may(external_accounts, (list) => areAll((each) => isText(fields(each).last4))(fields(list).data)) &&
    isMetadata(metadata)
  );
}

function areRequirements(value: unknown): boolean {
  const { disabled_reason, currently_due, pending_verification, errors } = fields(value);
  const areErrors = areAll((each) => isText(fields(each).reason));
  const areLists = [currently_due, pending_verification].every((list) => may(list, areAll(isText)));
  return may(disabled_reason, isText) && areLists && may(errors, areErrors);
}

export const isAccounts = listOf(isAccount);

export const isAccountLink = (value: unknown): value is AccountLink =>
  isText(fields(value).url) && isWhole(fields(value).expires_at);
