/** Circle's API in its own words, as far as this rail speaks it. It knows nothing of payouts of ours. */
import { type Answer, heldAgainst, type Shape, Transport } from '#libs/rail-transport';
import {
  areBalances,
  areTransactions,
  areWallets,
  type Balance,
  isCreated,
  isNoticeKey,
  isOneTransaction,
  isOneWallet,
  isProblem,
  isValidity,
  type NoticeKey,
  type Problem,
  type Told,
  type Transaction,
  type Wallet,
} from './circle.shapes';
import { EntitySecret } from './entity-secret';
import { isSameId } from './same';
import type { SwapRailSettings } from './swap-rail.settings';

export type CircleAnswer<Found> =
  | Answer<Found, Problem>
  /** There was no public key to encrypt with: the call itself was not made. */
  | { kind: 'not_made'; detail: string };

export interface NewWallet {
  idempotencyKey: string;
  walletSetId: string;
  blockchain: string;
  refId: string;
}

export interface NewTransfer {
  idempotencyKey: string;
  walletId: string;
  destinationAddress: string;
  amount: string;
  refId: string;
}

export interface Listed {
  walletIds: string;
  destinationAddress?: string;
  /** Made then or later, in ISO 8601. */
  from?: string;
}

/** Circle gives no more at once. */
export const PAGE_SIZE = 50;
/** The secret is not ours, or was encrypted under a key that is not Circle's any more. */
const CANNOT_READ_SECRET = [156013, 156019, 177604, 177606];

export class CircleClient {
  private readonly transport: Transport;
  private readonly secret: EntitySecret;
  private readonly headers: Record<string, string>;

  constructor(private readonly settings: SwapRailSettings) {
    this.transport = new Transport(settings);
    this.headers = { authorization: `Bearer ${settings.apiKey}` };
    this.secret = new EntitySecret(this.transport, this.headers, settings.entitySecret);
  }

  async wallet(id: string, signal?: AbortSignal): Promise<CircleAnswer<Told<{ wallet: Wallet }>>> {
    const answer = await this.read(`/v1/w3s/wallets/${encodeURIComponent(id)}`, isOneWallet, signal);
    return heldAgainst(answer, ({ data }) => isSameId(data.wallet.id, id));
  }

  /** The oldest first. */
  wallets(
    asked: { blockchain: string; walletSetId?: string; refId?: string; address?: string },
    signal?: AbortSignal,
  ): Promise<CircleAnswer<Told<{ wallets: Wallet[] }>>> {
    const query = new URLSearchParams({ ...asked, order: 'ASC', pageSize: String(PAGE_SIZE) });
    return this.read(`/v1/w3s/wallets?${query.toString()}`, areWallets, signal);
  }

  createWallet(wanted: NewWallet, signal?: AbortSignal): Promise<CircleAnswer<Told<{ wallets: Wallet[] }>>> {
    const { blockchain, refId, ...rest } = wanted;
    const { accountType } = this.settings;
    const body = { ...rest, accountType, blockchains: [blockchain], count: 1, metadata: [{ refId }] };
    return this.move('/v1/w3s/developer/wallets', body, areWallets, signal);
  }

  transfer(wanted: NewTransfer, signal?: AbortSignal): Promise<CircleAnswer<Told<{ id: string; state: string }>>> {
    const { amount, ...rest } = wanted;
    const { tokenId, feeLevel } = this.settings;
    const body = { ...rest, tokenId, feeLevel, amounts: [amount] };
    return this.move('/v1/w3s/developer/transactions/transfer', body, isCreated, signal);
  }

  /** Transactions out of these wallets, the latest first. */
  transactions(
    listed: Listed,
    pageAfter: string | null,
    signal?: AbortSignal,
  ): Promise<CircleAnswer<Told<{ transactions: Transaction[] }>>> {
    const query = new URLSearchParams({
      ...{ ...listed, txType: 'OUTBOUND', order: 'DESC', pageSize: String(PAGE_SIZE) },
      ...(pageAfter === null ? {} : { pageAfter }),
    });
    return this.read(`/v1/w3s/transactions?${query.toString()}`, areTransactions, signal);
  }

  async transaction(id: string, signal?: AbortSignal): Promise<CircleAnswer<Told<{ transaction: Transaction }>>> {
    const answer = await this.read(`/v1/w3s/transactions/${encodeURIComponent(id)}`, isOneTransaction, signal);
    return heldAgainst(answer, ({ data }) => isSameId(data.transaction.id, id));
  }

  balances(walletId: string, signal?: AbortSignal): Promise<CircleAnswer<Told<{ tokenBalances: Balance[] }>>> {
    const path = `/v1/w3s/wallets/${encodeURIComponent(walletId)}/balances?pageSize=${PAGE_SIZE}`;
    return this.read(path, areBalances, signal);
  }

  /** Moves nothing, and so takes neither a key nor the secret. */
  validateAddress(
    address: string,
    blockchain: string,
    signal?: AbortSignal,
  ): Promise<CircleAnswer<Told<{ isValid: boolean }>>> {
    return this.post('/v1/w3s/transactions/validateAddress', { address, blockchain }, isValidity, signal);
  }

  noticeKey(id: string, signal?: AbortSignal): Promise<CircleAnswer<Told<NoticeKey>>> {
    return this.read(`/v2/notifications/publicKey/${encodeURIComponent(id)}`, isNoticeKey, signal);
  }

  private read<Found>(path: string, found: Shape<Found>, signal?: AbortSignal): Promise<CircleAnswer<Found>> {
    return this.transport.call({ method: 'GET', path, headers: this.headers, signal, found, problem: isProblem });
  }

  /** Circle may have another public key by now: then it did nothing, and is asked once more with that one. */
  private async move<Found>(
    path: string,
    body: object,
    found: Shape<Found>,
    signal?: AbortSignal,
  ): Promise<CircleAnswer<Found>> {
    const first = await this.secret.ciphertext();
    if (first.kind !== 'done') return notMade(first);
    const answer = await this.post(path, { ...body, entitySecretCiphertext: first.found.text }, found, signal);
    if (answer.kind !== 'rejected' || !CANNOT_READ_SECRET.includes(answer.problem.code)) return answer;
    this.secret.drop(first.found.key);
    const second = await this.secret.ciphertext();
    if (second.kind !== 'done' || second.found.key.equals(first.found.key)) return answer;
    return this.post(path, { ...body, entitySecretCiphertext: second.found.text }, found, signal);
  }

  private post<Found>(
    path: string,
    body: object,
    found: Shape<Found>,
    signal?: AbortSignal,
  ): Promise<CircleAnswer<Found>> {
    return this.transport.call<Found, Problem>({
      ...{ method: 'POST', path, headers: this.headers, signal, found, problem: isProblem },
      body: { type: 'application/json', text: JSON.stringify(body) },
    });
  }
}

const notMade = <Found>(answer: Exclude<Answer<unknown, Problem>, { kind: 'done' }>): CircleAnswer<Found> =>
  answer.kind === 'unclear' ? { kind: 'not_made', detail: `no public key: ${answer.detail}` } : answer;
