/** Adyen's own client speaks to the simulated Adyen, and is content: what neither of us made up is spoken alike. */
import { randomUUID } from 'node:crypto';
import {
  BalancePlatformAPI,
  Client,
  Config,
  EnvironmentEnum,
  hmacValidator as HmacValidator,
  HttpClientException,
  LegalEntityManagementAPI,
  TransfersAPI,
  TransferWebhooksHandler,
  Types,
} from '@adyen/api-library';
import { FixedClock } from '#libs/rail-kit/testing';
import { contractOf } from '#libs/provider-sandbox';
import { SETTINGS } from '../../src/custodial-b.settings';
import { type AdyenHosts, startAdyenHosts } from './adyen-hosts';
import { AdyenSandbox } from './adyen-sandbox';

const KEYS = { apiKey: 'key_of_the_platform', entitiesKey: 'key_of_entities' };
const HMAC_KEY = 'CD'.repeat(32);
const DAY_MS = 86_400_000;
const NEEDED = ['receiveFromBalanceAccount', 'sendToTransferInstrument', 'sendToBalanceAccount'];
const { CategoryEnum, PriorityEnum } = Types.transfers.TransferInfo;
const { TypeEnum } = Types.legalEntityManagement.LegalEntityInfoRequiredType;

interface Payee {
  entity: string;
  holder: string;
  account: string;
}

describe("Adyen's own client", () => {
  const clock = new FixedClock();
  let simulated: AdyenSandbox;
  let hosts: AdyenHosts;
  const watch = contractOf('adyen', { unpublished: ['/onboarding/'], closed: true });

  beforeAll(async () => {
    simulated = new AdyenSandbox({
      ...{ ...KEYS, hmacKey: HMAC_KEY, clock, balances: { EUR: 10_000 } },
      watch: (request, answer) => watch?.see(request, answer),
    });
    hosts = await startAdyenHosts(await simulated.start());
  });
  afterAll(async () => {
    await hosts.close();
    await simulated.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });

  const client = (apiKey: string): Client => {
    const made = new Client(new Config({ apiKey, environment: EnvironmentEnum.TEST }));
    made.httpClient.proxy = hosts.proxy;
    return made;
  };
  const lem = (): LegalEntityManagementAPI => new LegalEntityManagementAPI(client(KEYS.entitiesKey));
  const platform = (apiKey = KEYS.apiKey): BalancePlatformAPI => new BalancePlatformAPI(client(apiKey));
  const transfers = (): TransfersAPI['TransfersApi'] => new TransfersAPI(client(KEYS.apiKey)).TransfersApi;
  /** With each call, for the client writes into what it is given. */
  const trusting = (): { ca: string } => ({ ca: hosts.ca });
  const keyed = (idempotencyKey: string = randomUUID()) => ({ ...trusting(), idempotencyKey });

  async function opened(reference: string): Promise<Payee> {
    const individual = { name: { firstName: 'Ada', lastName: 'L' }, residentialAddress: { country: 'DE' } };
    const asked = { type: TypeEnum.Individual, reference, individual };
    const entity = (await lem().LegalEntitiesApi.createLegalEntity(asked, trusting())).id;
    const capabilities = Object.fromEntries(NEEDED.map((each) => [each, { requested: true }]));
    const { AccountHoldersApi, BalanceAccountsApi } = platform();
    const owner = { legalEntityId: entity, reference, capabilities };
    const holder = (await AccountHoldersApi.createAccountHolder(owner, trusting())).id;
    const pot = { accountHolderId: holder, reference };
    return { entity, holder, account: (await BalanceAccountsApi.createBalanceAccount(pot, trusting())).id };
  }
  async function filledIn(entity: string): Promise<string> {
    const { HostedOnboardingApi } = lem();
    const asked = { redirectUrl: 'https://app.example/done' };
    const { url = '' } = await HostedOnboardingApi.getLinkToAdyenhostedOnboardingPage(entity, asked, trusting());
    expect(await (await fetch(url)).text()).toContain('Verify your details');
    const form = new URLSearchParams({ first: 'Ada', last: 'L', iban: 'DE89370400440532013000', outcome: 'approve' });
    await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
    const { transferInstruments = [] } = await lem().LegalEntitiesApi.getLegalEntity(entity, trusting());
    return transferInstruments[0]?.id ?? '';
  }
  async function verified(reference: string): Promise<Payee & { instrument: string }> {
    const payee = await opened(reference);
    return { ...payee, instrument: await filledIn(payee.entity) };
  }
  const fund = (account: string, value: number, reference: string, key?: string) =>
    transfers().transferFunds(
      {
        ...{ amount: { value, currency: 'EUR' }, balanceAccountId: 'BA_PLATFORM', category: CategoryEnum.Internal },
        ...{ counterparty: { balanceAccountId: account }, reference, description: 'payout-gateway:ours' },
      },
      keyed(key),
    );
  const payOut = ({ account, instrument }: { account: string; instrument: string }, value: number, reference: string) =>
    transfers().transferFunds(
      {
        ...{ amount: { value, currency: 'EUR' }, balanceAccountId: account, category: CategoryEnum.Bank, reference },
        ...{ counterparty: { transferInstrumentId: instrument }, priority: PriorityEnum.Regular, description: 'Payer' },
      },
      keyed(),
    );
  const listed = (
    { account, reference, category }: { account?: string; reference?: string; category?: 'bank' | 'internal' },
    [limit, cursor]: [number?, string?] = [],
  ): Promise<Types.transfers.FindTransfersResponse> => {
    const [since, until] = [-DAY_MS, DAY_MS].map((ms) => new Date(clock.now().getTime() + ms)) as [Date, Date];
    const { balancePlatform } = simulated.state;
    const asked = [balancePlatform, undefined, account, undefined, reference, category] as const;
    return transfers().getAllTransfers(since, until, ...asked, 'asc', cursor, limit, trusting());
  };
  const heldBy = async (account: string): Promise<unknown> =>
    (await platform().BalanceAccountsApi.getBalanceAccount(account, trusting())).balances;

  it('opens what a payee needs, leads its owner to the pages, and reads how it stands', async () => {
    const { entity, holder, account } = await opened('ada');
    const standing = async (): Promise<unknown> => {
      const { capabilities } = await platform().AccountHoldersApi.getAccountHolder(holder, trusting());
      return capabilities?.sendToTransferInstrument;
    };
    expect(await standing()).toMatchObject({
      ...{ allowed: false, requested: true, verificationStatus: 'invalid' },
      problems: [{ entity: { id: entity }, verificationErrors: [{ type: 'dataMissing' }] }],
    });
    const instrument = await filledIn(entity);
    expect(await standing()).toMatchObject({ allowed: true, transferInstruments: [{ id: instrument, allowed: true }] });
    const bank = await lem().TransferInstrumentsApi.getTransferInstrument(instrument, trusting());
    expect(bank).toMatchObject({
      ...{ id: instrument, legalEntityId: entity, type: 'bankAccount' },
      bankAccount: { bankName: 'ADYEN TEST BANK', accountIdentification: { type: 'iban' } },
    });
    const { AccountHoldersApi, PlatformApi } = platform();
    const accounts = await AccountHoldersApi.getAllBalanceAccountsOfAccountHolder(holder, 0, 100, trusting());
    expect(accounts).toMatchObject({ balanceAccounts: [{ id: account, reference: 'ada' }], hasNext: false });
    const { balancePlatform } = simulated.state;
    const page = await PlatformApi.getAllAccountHoldersUnderBalancePlatform(balancePlatform, 1, 1, trusting());
    expect(page).toMatchObject({ accountHolders: [{ id: holder, reference: 'ada' }], hasPrevious: true });
  });

  it('moves money to the account and on to its bank, once for a key, and finds it again', async () => {
    const payee = await verified('eve');
    const key = randomUUID();
    const first = await fund(payee.account, 2_500, 'key-1', key);
    expect(first).toMatchObject({ status: 'authorised', type: 'internalTransfer' });
    expect((await fund(payee.account, 2_500, 'key-1', key)).id).toBe(first.id);
    expect(await heldBy(payee.account)).toEqual([{ currency: 'EUR', available: 2_500, balance: 2_500, reserved: 0 }]);
    const bank = await payOut(payee, 2_000, 'key-1');
    const { data } = await listed({ reference: 'key-1', category: 'bank' });
    expect(data).toMatchObject([
      {
        ...{ id: bank.id, status: 'booked', createdAt: clock.now(), direction: 'outgoing', type: 'bankTransfer' },
        ...{ balanceAccount: { id: payee.account }, accountHolder: { id: payee.holder } },
        ...{ counterparty: { transferInstrumentId: payee.instrument }, tracking: { status: 'credited' } },
        events: [
          { status: 'received' },
          { status: 'authorised' },
          { status: 'booked', bookingDate: clock.now(), mutations: [{ currency: 'EUR', balance: -2_000 }] },
          { type: 'tracking', updateDate: clock.now(), trackingData: { type: 'confirmation', status: 'credited' } },
        ],
      },
    ]);
    expect(await heldBy(payee.account)).toMatchObject([{ available: 500 }]);
  });

  it('lists both sides of what went between two accounts, page by page', async () => {
    const { account } = await verified('zoe');
    await fund(account, 100, 'key-2');
    await heldBy(account);
    const first = await listed({ reference: 'key-2' }, [1]);
    const cursor = new URL(first._links?.next?.href ?? '').searchParams.get('cursor') ?? '';
    const second = await listed({ reference: 'key-2' }, [1, cursor]);
    expect([first.data, second.data]).toMatchObject([
      [{ direction: 'outgoing', balanceAccount: { id: 'BA_PLATFORM' } }],
      [{ direction: 'incoming', balanceAccount: { id: account }, description: 'payout-gateway:ours' }],
    ]);
    expect(second._links?.next).toBeUndefined();
  });

  it('is told what is wrong, in its own errors', async () => {
    const payee = await verified('ian');
    expect(await fund(payee.account, 1_000_000, 'key-3')).toMatchObject({
      ...{ status: 'refused', reason: Types.transfers.Transfer.ReasonEnum.NotEnoughBalance },
    });
    const refused = (statusCode: number, errorCode: string) => ({ name: 'HttpClientException', statusCode, errorCode });
    const key = randomUUID();
    await fund(payee.account, 100, 'key-3', key);
    await expect(fund(payee.account, 200, 'key-3', key)).rejects.toMatchObject(refused(422, '704'));
    const unknown = payOut({ ...payee, instrument: 'SE_OF_OTHERS' }, 100, 'key-3');
    await expect(unknown).rejects.toBeInstanceOf(HttpClientException);
    const foreign = platform().AccountHoldersApi.getAccountHolder('AH_OF_OTHERS', trusting());
    await expect(foreign).rejects.toMatchObject(refused(422, '30_012'));
    const stranger = platform(KEYS.entitiesKey).BalanceAccountsApi.getBalanceAccount(payee.account, trusting());
    await expect(stranger).rejects.toMatchObject(refused(401, '000'));
  });

  it('believes its notices, and none that was changed', async () => {
    const payee = await verified('amy');
    await fund(payee.account, 100, 'key-4');
    await heldBy(payee.account);
    const { id } = await payOut(payee, 100, 'key-4');
    await heldBy(payee.account);
    const [bank] = simulated.banksOf('key-4');
    if (!bank) throw new Error('There is no transfer to a bank.');
    const { body, headers } = simulated.notice(bank);
    const believes = (text: string): boolean =>
      new HmacValidator().validateHMACSignature(HMAC_KEY, headers.hmacsignature ?? '', text);
    expect([believes(body), believes(body.replace('key-4', 'key-5'))]).toEqual([true, false]);
    expect(new TransferWebhooksHandler(body).getGenericWebhook()).toMatchObject({
      ...{ type: 'balancePlatform.transfer.updated', environment: 'test', timestamp: clock.now() },
      data: { id, reference: 'key-4', status: 'booked', tracking: { status: 'credited' } },
    });
  });

  it('asks each API at the host that the settings of the rail name', async () => {
    await opened('lea');
    const named = SETTINGS.filter(({ env }) => env.endsWith('_BASE_URL')).map(({ default: url = '' }) => url);
    const ofTest = named.map((url) => `${new URL(url.replace('-live', '-test')).hostname}:443`);
    expect([...hosts.asked].sort()).toEqual(ofTest.sort());
  });
});
