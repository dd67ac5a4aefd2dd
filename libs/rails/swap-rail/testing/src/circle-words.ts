/** What the simulated Circle says, in the words of its published schema. */
import { randomUUID } from 'node:crypto';
import type { SandboxAnswer } from '#libs/provider-sandbox';
import type { CircleState, CircleTransaction, CircleWallet } from './circle-books';

/** USDC on the simulated network. */
export const TOKEN_ID = '5797fbd6-3795-519d-84ca-ec4c5f80c3b1';
export const BLOCKCHAIN = 'ETH-SEPOLIA';

export const problem = (status: number, code: number): SandboxAnswer => ({
  status,
  body: { code, message: `Turned away: ${code}.` },
});

const DECIMALS = 6;

/** `10.05`, as Circle writes amounts: without zeros at the end. */
export function usdc(units: number): string {
  const text = String(units).padStart(DECIMALS + 1, '0');
  return `${text.slice(0, -DECIMALS)}.${text.slice(-DECIMALS)}`.replace(/\.?0+$/, '');
}

/** null: no amount that can be moved. */
export function unitsOf(amount: unknown): number | null {
  const [, whole = '', fraction = ''] = /^([0-9]{1,10})(?:\.([0-9]{1,6}))?$/.exec(String(amount)) ?? [];
  const units = Number(whole + fraction.padEnd(DECIMALS, '0'));
  return whole !== '' && units > 0 ? units : null;
}

export const walletSetBody = ({ id, createdAt }: CircleState['walletSets'][number]): object => ({
  ...{ id, custodyType: 'DEVELOPER', createDate: createdAt, updateDate: createdAt },
});

export const walletBody = (wallet: CircleWallet): object => ({
  ...{ id: wallet.id, address: wallet.address, blockchain: wallet.blockchain, state: wallet.state },
  ...{ walletSetId: wallet.setId, custodyType: 'DEVELOPER', accountType: wallet.accountType },
  ...{ createDate: wallet.createdAt, updateDate: wallet.createdAt },
  ...(wallet.accountType === 'SCA' ? { scaCore: 'circle_6900_singleowner_v3' } : {}),
  ...(wallet.refId === null ? {} : { refId: wallet.refId }),
});

export const transactionBody = (transaction: CircleTransaction): object => ({
  ...{ id: transaction.id, state: transaction.state, transactionType: 'OUTBOUND', operation: 'TRANSFER' },
  ...{ amounts: [usdc(transaction.units)], tokenId: TOKEN_ID, blockchain: BLOCKCHAIN, custodyType: 'DEVELOPER' },
  ...{ walletId: transaction.walletId, sourceAddress: transaction.from, destinationAddress: transaction.to },
  ...{ createDate: transaction.createdAt, updateDate: transaction.updatedAt },
  ...(transaction.refId === null ? {} : { refId: transaction.refId }),
  ...(transaction.error === null ? {} : { errorReason: transaction.error }),
  ...(transaction.confirmedAt === null
    ? {}
    : { firstConfirmDate: transaction.confirmedAt, networkFee: '0.00001204', networkFeeInUSD: '0.0251' }),
});

export const balanceBody = (units: number, now: Date): object => {
  const at = now.toISOString();
  const token = { id: TOKEN_ID, blockchain: BLOCKCHAIN, symbol: 'USDC', decimals: DECIMALS, isNative: false };
  return { amount: usdc(units), updateDate: at, token: { ...token, createDate: at, updateDate: at } };
};

export const subscriptionBody = ({ id, endpoint, createdAt }: CircleState['subscriptions'][number]): object => ({
  ...{ id, endpoint, name: 'Notices', enabled: true, restricted: false },
  ...{ createDate: createdAt, updateDate: createdAt },
});

/** As it stands when it is told. */
export const noticeBody = (transaction: CircleTransaction, subscriptionId: string, now: Date): object => ({
  ...{ subscriptionId, notificationId: randomUUID(), notificationType: 'transactions.outbound', version: 2 },
  ...{ notification: transactionBody(transaction), timestamp: now.toISOString() },
});
