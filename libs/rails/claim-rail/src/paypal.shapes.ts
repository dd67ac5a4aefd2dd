/** PayPal's answers, as far as this rail reads them. What it does not read may be anything. */

export interface Money {
  currency: string;
  value: string;
}

export interface Problem {
  name: string;
  message: string;
  details?: { issue?: string }[];
  links?: { href?: string }[];
}

export interface CreatedBatch {
  batch_header: { payout_batch_id: string; batch_status: string };
}

export interface Item {
  payout_item_id: string;
  transaction_status?: string;
  payout_item_fee?: Money;
  payout_item: { amount: Money; sender_item_id?: string };
  time_processed?: string;
  errors?: { name: string };
}

export interface Batch {
  batch_header: { payout_batch_id: string; batch_status: string; sender_batch_header: { sender_batch_id?: string } };
  items?: Item[];
}

export interface Balances {
  account_id: string;
  balances: { currency: string; available_balance?: { currency_code: string; value: string } }[];
}

export interface Token {
  access_token: string;
  expires_in: number;
}

type Fields = Record<string, unknown>;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isMoney = (value: unknown): value is Money => isText(fields(value).currency) && isText(fields(value).value);
const may = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);
const areLinks = (value: unknown): boolean =>
  Array.isArray(value) && value.every((link) => may(fields(link).href, isText));
const areDetails = (value: unknown): boolean =>
  Array.isArray(value) && value.every((detail) => may(fields(detail).issue, isText));

export function isProblem(value: unknown): value is Problem {
  const { name, message, details, links } = fields(value);
  return isText(name) && isText(message) && may(details, areDetails) && may(links, areLinks);
}

/** OAuth has words of its own. */
export const isTokenProblem = (value: unknown): value is { error: string } => isText(fields(value).error);

export const isToken = (value: unknown): value is Token => {
  const { access_token, expires_in } = fields(value);
  return isText(access_token) && typeof expires_in === 'number' && expires_in > 0;
};

export const isCreatedBatch = (value: unknown): value is CreatedBatch => {
  const { payout_batch_id, batch_status } = fields(fields(value).batch_header);
  return isText(payout_batch_id) && isText(batch_status);
};

export function isBatch(value: unknown): value is Batch {
  const { batch_header, items } = fields(value);
  if (!isCreatedBatch(value) || typeof fields(batch_header).sender_batch_header !== 'object') return false;
  return may(items, (each) => Array.isArray(each) && each.every(isItem));
}

function isItem(value: unknown): value is Item {
  const { payout_item_id, transaction_status, payout_item_fee, payout_item, time_processed, errors } = fields(value);
  return (
    isText(payout_item_id) &&
    isMoney(fields(payout_item).amount) &&
    may(transaction_status, isText) &&
    may(payout_item_fee, isMoney) &&
    may(time_processed, (time) => isText(time) && !Number.isNaN(Date.parse(time))) &&
    may(errors, (each) => isText(fields(each).name))
  );
}

export function isBalances(value: unknown): value is Balances {
  const { account_id, balances } = fields(value);
  return isText(account_id) && Array.isArray(balances) && balances.every((each) => isText(fields(each).currency));
}
