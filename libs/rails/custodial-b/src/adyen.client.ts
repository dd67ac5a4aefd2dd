/** Adyen's APIs in its own words, as far as this rail speaks them. It knows nothing of payouts of ours. */
import { type Answer, heldAgainst, type Shape, Transport } from '#libs/rail-transport';
import {
  type AccountHolder,
  type AccountHolders,
  type BalanceAccount,
  type BalanceAccounts,
  isAccountHolder,
  isAccountHolders,
  isBalanceAccount,
  isBalanceAccounts,
  isLegalEntity,
  isOnboardingLink,
  isProblem,
  isTransfer,
  isTransferInstrument,
  isTransfers,
  type LegalEntity,
  type OnboardingLink,
  type Problem,
  type Transfer,
  type TransferInstrument,
  type Transfers,
} from './adyen.shapes';

export type AdyenAnswer<Found> = Answer<Found, Problem>;

export interface AdyenSettings {
  /** Of the balance platform and its transfers, and of legal entities: each has a host and a credential of its own. */
  platform: { baseUrl: string; apiKey: string };
  entities: { baseUrl: string; apiKey: string };
  timeoutMs: number;
}

interface Call {
  path: string;
  body?: object;
  key?: string;
  signal?: AbortSignal;
}

const PAGE = 100;

export class AdyenClient {
  private readonly platform: Transport;
  private readonly entities: Transport;

  constructor(private readonly settings: AdyenSettings) {
    const { platform, entities, timeoutMs } = settings;
    this.platform = new Transport({ baseUrl: platform.baseUrl, timeoutMs });
    this.entities = new Transport({ baseUrl: entities.baseUrl, timeoutMs });
  }

  transfer(body: object, key: string, signal?: AbortSignal): Promise<AdyenAnswer<Transfer>> {
    return this.ofPlatform({ path: '/btl/v4/transfers', body, key, signal }, isTransfer);
  }

  /** `asked` names the platform or an account, and when they were created: six months apart at most. */
  transfers(asked: Record<string, string>, signal?: AbortSignal): Promise<AdyenAnswer<Transfers>> {
    const query = new URLSearchParams({ ...asked, limit: String(PAGE) }).toString();
    return this.ofPlatform({ path: `/btl/v4/transfers?${query}`, signal }, isTransfers);
  }

  async balanceAccount(id: string, signal?: AbortSignal): Promise<AdyenAnswer<BalanceAccount>> {
    const path = `/bcl/v2/balanceAccounts/${encodeURIComponent(id)}`;
    return heldAgainst(await this.ofPlatform({ path, signal }, isBalanceAccount), (found) => found.id === id);
  }

  newBalanceAccount(body: object, signal?: AbortSignal): Promise<AdyenAnswer<BalanceAccount>> {
    return this.ofPlatform({ path: '/bcl/v2/balanceAccounts', body, signal }, isBalanceAccount);
  }

  balanceAccounts(holder: string, signal?: AbortSignal): Promise<AdyenAnswer<BalanceAccounts>> {
    const path = `/bcl/v2/accountHolders/${encodeURIComponent(holder)}/balanceAccounts?limit=${PAGE}`;
    return this.ofPlatform({ path, signal }, isBalanceAccounts);
  }

  async accountHolder(id: string, signal?: AbortSignal): Promise<AdyenAnswer<AccountHolder>> {
    const path = `/bcl/v2/accountHolders/${encodeURIComponent(id)}`;
    return heldAgainst(await this.ofPlatform({ path, signal }, isAccountHolder), (found) => found.id === id);
  }

  newAccountHolder(body: object, signal?: AbortSignal): Promise<AdyenAnswer<AccountHolder>> {
    return this.ofPlatform({ path: '/bcl/v2/accountHolders', body, signal }, isAccountHolder);
  }

  /** One page of all that the platform has. */
  accountHolders(platform: string, offset: number, signal?: AbortSignal): Promise<AdyenAnswer<AccountHolders>> {
    const page = `offset=${offset}&limit=${PAGE}`;
    const path = `/bcl/v2/balancePlatforms/${encodeURIComponent(platform)}/accountHolders?${page}`;
    return this.ofPlatform({ path, signal }, isAccountHolders);
  }

  async legalEntity(id: string, signal?: AbortSignal): Promise<AdyenAnswer<LegalEntity>> {
    const path = `/lem/v4/legalEntities/${encodeURIComponent(id)}`;
    return heldAgainst(await this.ofEntities({ path, signal }, isLegalEntity), (found) => found.id === id);
  }

  newLegalEntity(body: object, signal?: AbortSignal): Promise<AdyenAnswer<LegalEntity>> {
    return this.ofEntities({ path: '/lem/v4/legalEntities', body, signal }, isLegalEntity);
  }

  async transferInstrument(id: string, signal?: AbortSignal): Promise<AdyenAnswer<TransferInstrument>> {
    const path = `/lem/v4/transferInstruments/${encodeURIComponent(id)}`;
    return heldAgainst(await this.ofEntities({ path, signal }, isTransferInstrument), (found) => found.id === id);
  }

  /** Each call makes a new one. */
  onboardingLink(legalEntity: string, body: object, signal?: AbortSignal): Promise<AdyenAnswer<OnboardingLink>> {
    const path = `/lem/v4/legalEntities/${encodeURIComponent(legalEntity)}/onboardingLinks`;
    return this.ofEntities({ path, body, signal }, isOnboardingLink);
  }

  private ofPlatform<Found>(call: Call, found: Shape<Found>): Promise<AdyenAnswer<Found>> {
    return made(this.platform, this.settings.platform.apiKey, call, found);
  }

  private ofEntities<Found>(call: Call, found: Shape<Found>): Promise<AdyenAnswer<Found>> {
    return made(this.entities, this.settings.entities.apiKey, call, found);
  }
}

function made<Found>(
  transport: Transport,
  apiKey: string,
  { path, body, key, signal }: Call,
  found: Shape<Found>,
): Promise<AdyenAnswer<Found>> {
  return transport.call<Found, Problem>({
    ...{ method: body ? 'POST' : 'GET', path, signal, found, problem: isProblem },
    headers: { 'x-api-key': apiKey, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(body ? { body: { type: 'application/json', text: JSON.stringify(body) } } : {}),
  });
}
