/** Circle's answers, as far as this rail reads them. What it does not read may be anything. */

export interface Problem {
  code: number;
  message: string;
}

export interface Wallet {
  id: string;
  address: string;
  blockchain: string;
  walletSetId: string;
  /** `LIVE` or `FROZEN`. */
  state: string;
  refId?: string;
}

export interface Transaction {
  id: string;
  state: string;
  transactionType: string;
  createDate: string;
  updateDate: string;
  amounts?: string[];
  tokenId?: string;
  walletId?: string;
  refId?: string;
  destinationAddress?: string;
  errorReason?: string;
  firstConfirmDate?: string;
  /** Decimal, in dollars. */
  networkFeeInUSD?: string;
}

export interface Balance {
  amount: string;
  token: { id: string };
}

export interface NoticeKey {
  id: string;
  algorithm: string;
  publicKey: string;
}

type Fields = Record<string, unknown>;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value));
const may = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);
/** Empty text is what Circle says of some fields that have nothing. */
const mayBeText = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** All answers of Circle's lie in `data`. */
export interface Told<Found> {
  data: Found;
}
const told =
  <Found>(is: (data: Fields) => boolean) =>
  (body: unknown): body is Told<Found> =>
    is(fields(fields(body).data));

export function isProblem(value: unknown): value is Problem {
  const { code, message } = fields(value);
  return Number.isSafeInteger(code) && typeof message === 'string';
}

function isWallet(value: unknown): value is Wallet {
  const { id, address, blockchain, walletSetId, state, refId } = fields(value);
  return [id, address, blockchain, walletSetId, state].every(isText) && mayBeText(refId);
}

function isTransaction(value: unknown): value is Transaction {
  const { amounts, createDate, updateDate, firstConfirmDate, networkFeeInUSD, ...words } = fields(value);
  const { id, state, transactionType, tokenId, walletId, refId, destinationAddress, errorReason } = words;
  return (
    [id, state, transactionType].every(isText) &&
    [createDate, updateDate].every(isTime) &&
    may(firstConfirmDate, isTime) &&
    [tokenId, walletId, refId, destinationAddress, errorReason, networkFeeInUSD].every(mayBeText) &&
    may(amounts, (each) => Array.isArray(each) && each.every(isText))
  );
}

const areAll = (value: unknown, is: (value: unknown) => boolean): boolean => Array.isArray(value) && value.every(is);

export const isOneWallet = told<{ wallet: Wallet }>(({ wallet }) => isWallet(wallet));
export const areWallets = told<{ wallets: Wallet[] }>(({ wallets }) => areAll(wallets, isWallet));
export const isCreated = told<{ id: string; state: string }>(({ id, state }) => isText(id) && isText(state));
export const isOneTransaction = told<{ transaction: Transaction }>(({ transaction }) => isTransaction(transaction));
export const areTransactions = told<{ transactions: Transaction[] }>(({ transactions }) =>
  areAll(transactions, isTransaction),
);
export const areBalances = told<{ tokenBalances: Balance[] }>(({ tokenBalances }) =>
  areAll(tokenBalances, (each) => isText(fields(each).amount) && isText(fields(fields(each).token).id)),
);
export const isValidity = told<{ isValid: boolean }>(({ isValid }) => typeof isValid === 'boolean');
export const isEntityKey = told<{ publicKey: string }>(({ publicKey }) => isText(publicKey));
export const isNoticeKey = told<NoticeKey>(({ id, algorithm, publicKey }) => [id, algorithm, publicKey].every(isText));
