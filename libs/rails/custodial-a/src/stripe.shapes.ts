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
  currency: string;
  created: number;
  reversed: boolean;
  destination: string;
  metadata: Record<string, string>;
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
  arrival_date: number;
  failure_code: string | null;
  metadata: Record<string, string>;
}

export interface PaidEvent {
  id: string;
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
  requirements?: { disabled_reason?: string | null; pending_verification?: string[] | null };
}

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isMetadata = (value: unknown): boolean => Object.values(fields(value)).every((each) => typeof each === 'string');

export function isProblem(value: unknown): value is Problem {
  const { type, code } = fields(fields(value).error);
  return isText(type) && (code === undefined || isText(code));
}

const isMoney = (value: unknown): boolean => isWhole(fields(value).amount) && isText(fields(value).currency);

export function isTransfer(value: unknown): value is Transfer {
  const { id, created, reversed, destination, metadata } = fields(value);
  const isNamed = isText(id) && isText(destination) && isMetadata(metadata);
  return isNamed && isMoney(value) && isWhole(created) && typeof reversed === 'boolean';
}

export const isReversal = (value: unknown): value is Reversal =>
  isText(fields(value).id) && isWhole(fields(value).amount);

export function isPayout(value: unknown): value is Payout {
  const { id, status, arrival_date, failure_code, metadata } = fields(value);
  const isNamed = isText(id) && isText(status) && isMetadata(metadata);
  return isNamed && isMoney(value) && isWhole(arrival_date) && (failure_code === null || isText(failure_code));
}

const isEvent = (value: unknown): value is PaidEvent =>
  isText(fields(value).id) && isText(fields(fields(fields(value).data).object).id);

const listOf =
  <Each>(is: (value: unknown) => value is Each) =>
  (value: unknown): value is List<Each> => {
    const { data, has_more } = fields(value);
    return Array.isArray(data) && data.every(is) && typeof has_more === 'boolean';
  };
export const isTransfers = listOf(isTransfer);
export const isPayouts = listOf(isPayout);
export const isEvents = listOf(isEvent);

export const isBalance = (value: unknown): value is Balance => {
  const { available } = fields(value);
  return Array.isArray(available) && available.every(isMoney);
};

export const isAccount = (value: unknown): value is Account => isText(fields(value).id);
