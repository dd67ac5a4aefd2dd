/** The calls of Circle that the rail makes. A key that was used is answered as before; one that was turned away is not used up. */
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import { type CircleBooks, type CircleState, type CircleWallet, Denied, isAddress } from './circle-books';
import { decrypted, digestOf, entityPublicKey, noticesPublicKey } from './circle-keys';
import {
  balanceBody,
  BLOCKCHAIN,
  problem,
  subscriptionBody,
  TOKEN_ID,
  transactionBody,
  unitsOf,
  walletBody,
  walletSetBody,
} from './circle-words';

interface Parts {
  state: CircleState;
  books: CircleBooks;
  apiKey: string;
  /** In hexadecimal. */
  entitySecret: string;
  now: () => Date;
  /** A mistake that was asked for: what it books of an amount. */
  misbook: (refId: string, units: number) => number;
}

interface Asked {
  id: string;
  body: Record<string, unknown>;
  query: URLSearchParams;
}

type Work = (asked: Asked) => object;

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const MALFORMED = 2;

export class CircleApi {
  /** What needs the entity secret, and is done once for each key. */
  private readonly moves: readonly [RegExp, Work][] = [
    [/^POST \/v1\/w3s\/developer\/walletSets$/, () => ({ walletSet: walletSetBody(this.parts.books.openSet()) })],
    [/^POST \/v1\/w3s\/developer\/wallets$/, ({ body }) => this.open(body)],
    [/^POST \/v1\/w3s\/developer\/transactions\/transfer$/, ({ body }) => this.transfer(body)],
  ];

  private readonly questions: readonly [RegExp, Work][] = [
    [/^GET \/v1\/w3s\/wallets$/, ({ query }) => this.wallets(query)],
    [/^GET \/v1\/w3s\/wallets\/([^/]+)$/, ({ id }) => ({ wallet: walletBody(this.parts.books.wallet(id)) })],
    [/^GET \/v1\/w3s\/wallets\/([^/]+)\/balances$/, ({ id }) => this.balances(id)],
    [/^GET \/v1\/w3s\/transactions$/, ({ query }) => this.transactions(query)],
    [
      /^GET \/v1\/w3s\/transactions\/([^/]+)$/,
      ({ id }) => ({ transaction: transactionBody(this.parts.books.transaction(id)) }),
    ],
    [
      /^POST \/v1\/w3s\/transactions\/validateAddress$/,
      ({ body }) => ({ isValid: body.blockchain === BLOCKCHAIN && isAddress(String(body.address)) }),
    ],
    [/^GET \/v1\/w3s\/config\/entity\/publicKey$/, () => ({ publicKey: entityPublicKey(this.parts.state.keys) })],
    [/^POST \/v2\/notifications\/subscriptions$/, ({ body }) => this.subscribe(body)],
    [/^GET \/v2\/notifications\/subscriptions$/, () => this.parts.state.subscriptions.map(subscriptionBody)],
    [/^GET \/v2\/notifications\/publicKey\/([^/]+)$/, ({ id }) => this.noticeKey(id)],
  ];

  constructor(private readonly parts: Parts) {}

  answer(request: SandboxRequest): SandboxAnswer {
    if (request.headers.authorization !== `Bearer ${this.parts.apiKey}`) return problem(401, 401);
    try {
      const move = found(this.moves, request);
      if (move) return this.once(move.work, move.asked);
      const question = found(this.questions, request);
      return question ? { status: 200, body: { data: question.work(question.asked) } } : problem(404, -1);
    } catch (error) {
      if (error instanceof Denied) return problem(error.status, error.code);
      throw error;
    }
  }

  private once(work: Work, asked: Asked): SandboxAnswer {
    const { entitySecretCiphertext, idempotencyKey, ...rest } = asked.body;
    if (typeof idempotencyKey !== 'string' || !UUID_V4.test(idempotencyKey)) throw new Denied(MALFORMED);
    this.unlock(String(entitySecretCiphertext));
    const { stored } = this.parts.state;
    const words = JSON.stringify(rest);
    const { [idempotencyKey]: before } = stored;
    if (before && before.asked !== words) throw new Denied(177607);
    if (before) return { status: 200, body: before.body };
    const body = { data: work(asked) };
    stored[idempotencyKey] = { asked: words, body };
    return { status: 201, body };
  }

  private unlock(ciphertext: string): void {
    const { state, entitySecret } = this.parts;
    if (decrypted(state.keys, ciphertext) !== entitySecret.toLowerCase()) throw new Denied(156013);
    const digest = digestOf(ciphertext);
    if (state.ciphertexts.includes(digest)) throw new Denied(156004);
    state.ciphertexts.push(digest);
  }

  private open(body: Record<string, unknown>): object {
    const { walletSetId, blockchains, accountType = 'EOA', metadata } = body;
    const [blockchain] = blockchains as string[];
    if (blockchain !== BLOCKCHAIN) throw new Denied(156027);
    const [named] = (metadata ?? []) as { refId?: string }[];
    const asked = {
      setId: String(walletSetId),
      blockchain,
      accountType: String(accountType),
      refId: named?.refId ?? null,
    };
    return { wallets: [walletBody(this.parts.books.open(asked))] };
  }

  private transfer(body: Record<string, unknown>): object {
    const { walletId, destinationAddress, tokenId, amounts, feeLevel, refId } = body;
    if (tokenId !== TOKEN_ID) throw new Denied(156002, 404);
    if (feeLevel === undefined) throw new Denied(155232);
    const [amount] = (amounts ?? []) as unknown[];
    const units = unitsOf(amount);
    if (units === null) throw new Denied(155221);
    const reference = typeof refId === 'string' ? refId : null;
    const { id, state } = this.parts.books.transfer({
      ...{ walletId: String(walletId), to: String(destinationAddress), refId: reference },
      units: this.parts.misbook(reference ?? '', units),
    });
    return { id, state };
  }

  private wallets(query: URLSearchParams): object {
    const wanted = (wallet: CircleWallet): boolean =>
      says(query, 'refId', wallet.refId) &&
      says(query, 'walletSetId', wallet.setId) &&
      says(query, 'blockchain', wallet.blockchain) &&
      says(query, 'address', wallet.address);
    return { wallets: paged(this.parts.state.wallets.filter(wanted), query).map(walletBody) };
  }

  private balances(id: string): object {
    const units = this.parts.books.balanceOf(this.parts.books.wallet(id).address);
    return { tokenBalances: units === 0 ? [] : [balanceBody(units, this.parts.now())] };
  }

  private transactions(query: URLSearchParams): object {
    const ids = query.get('walletIds')?.split(',');
    const from = Date.parse(query.get('from') ?? '') || 0;
    const wanted = this.parts.state.transactions.filter(
      ({ walletId, to, state, createdAt }) =>
        (!ids || ids.includes(walletId)) &&
        says(query, 'destinationAddress', to) &&
        says(query, 'state', state) &&
        says(query, 'txType', 'OUTBOUND') &&
        Date.parse(createdAt) >= from,
    );
    return { transactions: paged(wanted, query).map(transactionBody) };
  }

  private subscribe({ endpoint }: Record<string, unknown>): object {
    const { state, now } = this.parts;
    const subscription = { id: `${state.keys.noticesId}`, endpoint: String(endpoint), createdAt: now().toISOString() };
    state.subscriptions.push(subscription);
    state.noticesUrl = subscription.endpoint;
    return subscriptionBody(subscription);
  }

  private noticeKey(id: string): object {
    const { state, now } = this.parts;
    if (id !== state.keys.noticesId) throw new Denied(MALFORMED);
    const at = now().toISOString();
    return { id, algorithm: 'ECDSA_SHA_256', publicKey: noticesPublicKey(state.keys), createDate: at };
  }
}

function found(
  calls: readonly [RegExp, Work][],
  { method, path, query, body }: SandboxRequest,
): { work: Work; asked: Asked } | null {
  for (const [pattern, work] of calls) {
    const [whole, id = ''] = pattern.exec(`${method} ${path}`) ?? [];
    if (whole !== undefined) return { work, asked: { id, query, body: parsed(body) } };
  }
  return null;
}

function parsed(body: string): Record<string, unknown> {
  if (body === '') return {};
  return JSON.parse(body) as Record<string, unknown>;
}

const says = (query: URLSearchParams, name: string, value: string | null): boolean =>
  query.get(name) === null || query.get(name) === value;

/** The oldest first in our books; the last one first for whoever does not ask otherwise. */
function paged<Each extends { id: string }>(all: Each[], query: URLSearchParams): Each[] {
  const ordered = query.get('order') === 'ASC' ? all : [...all].reverse();
  const after = query.get('pageAfter');
  const from = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  return ordered.slice(from, from + Number(query.get('pageSize') ?? 10));
}
