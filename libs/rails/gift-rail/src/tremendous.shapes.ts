/** Tremendous's answers, as far as this rail reads them. What it does not read may be anything. */

export interface Problem {
  errors: { message?: string; payload?: object };
}

/** A number as JSON has it: what it is in cents is read from how it is written. */
export interface Reward {
  id: string;
  order_id?: string;
  value: { denomination: number; currency_code: string };
}

export interface Payment {
  subtotal: number;
  total: number;
  fees: number;
  currency_code: string;
  refund?: { total: number };
}

export interface Order {
  id: string;
  external_id: string | null;
  status: string;
  payment?: Payment;
  /** Left out where orders are listed, as far as the schema goes. */
  rewards?: Reward[];
}

export interface Balance {
  id: string;
  meta: { available_amount: number; currency_code: string };
}

type Fields = Record<string, unknown>;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const may = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);

export const isProblem = (value: unknown): value is Problem => {
  const { errors } = fields(value);
  return typeof errors === 'object' && errors !== null && may(fields(errors).message, isText);
};

function isReward(value: unknown): value is Reward {
  const { id, order_id, value: worth } = fields(value);
  const { denomination, currency_code } = fields(worth);
  return isText(id) && may(order_id, isText) && isNumber(denomination) && isText(currency_code);
}

function isPayment(value: unknown): value is Payment {
  const { subtotal, total, fees, currency_code, refund } = fields(value);
  return (
    [subtotal, total, fees].every(isNumber) &&
    isText(currency_code) &&
    may(refund, (each) => isNumber(fields(each).total))
  );
}

function isOrder(value: unknown): value is Order {
  const { id, external_id, status, payment, rewards } = fields(value);
  return (
    isText(id) &&
    (external_id === null || external_id === undefined || isText(external_id)) &&
    isText(status) &&
    may(payment, isPayment) &&
    may(rewards, (each) => Array.isArray(each) && each.every(isReward))
  );
}

export const isOrderFound = (value: unknown): value is { order: Order } => isOrder(fields(value).order);

export const isOrderList = (value: unknown): value is { orders: Order[] } => {
  const { orders } = fields(value);
  return Array.isArray(orders) && orders.every(isOrder);
};

export const isRewardFound = (value: unknown): value is { reward: Reward } => isReward(fields(value).reward);

export const isLink = (value: unknown): value is { reward: { id: string; link: string } } => {
  const { id, link } = fields(fields(value).reward);
  return isText(id) && isText(link);
};

export const isBalance = (value: unknown): value is { funding_source: Balance } => {
  const { id, meta } = fields(fields(value).funding_source);
  const { available_amount, currency_code } = fields(meta);
  return isText(id) && isNumber(available_amount) && isText(currency_code);
};
