/** What the simulated Adyen does with money, keys and people, with every exchange held against the schema that Adyen publishes. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FixedClock, startLoopbackServer, readBody } from '#libs/rail-kit/testing';
import { ContractWatch, NO_SCHEMA, publishedSchema } from '#libs/provider-sandbox';
import { AdyenSandbox } from './adyen-sandbox';

const KEYS = { apiKey: 'key_of_the_platform', entitiesKey: 'key_of_entities' };
const schema = publishedSchema('adyen');
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

interface Said {
  status: number;
  body: Record<string, unknown> & { data: Record<string, unknown>[] };
}

describe('the simulated Adyen', () => {
  const directory = mkdtempSync(join(tmpdir(), 'adyen-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  let clock: FixedClock;
  let adyen: AdyenSandbox;
  let url: string;
  let watch: ContractWatch | null;
  let account: string;

  beforeEach(async () => {
    clock = new FixedClock();
    watch = schema === null ? null : new ContractWatch(schema, { unpublished: ['/onboarding/'], closed: true });
    adyen = made(null);
    adyen.hasHolder({ id: 'AH_PAYEE' });
    account = accountOf('AH_PAYEE');
    url = await adyen.start();
  });
  afterEach(async () => {
    await adyen.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });

  const made = (
    file: string | null,
    more: { verifiedAfterMs?: number; processedAfterMs?: number } = {},
  ): AdyenSandbox =>
    new AdyenSandbox({
      ...{ ...KEYS, clock, balances: { EUR: 10_000 }, file, ...more },
      watch: (request, answer) => watch?.see(request, answer),
    });
  const accountOf = (holder: string): string =>
    adyen.state.accounts.find(({ holderId }) => holderId === holder)?.id ?? '';

  async function call(path: string, body?: object, headers: Record<string, string> = {}): Promise<Said> {
    const key = path.startsWith('/lem/') ? KEYS.entitiesKey : KEYS.apiKey;
    const response = await fetch(url + path, {
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Said['body'] };
  }

  const fund = (value: number, key: string = randomUUID()): Promise<Said> =>
    call(
      '/btl/v4/transfers',
      {
        ...{ amount: { value, currency: 'EUR' }, balanceAccountId: 'BA_PLATFORM', category: 'internal' },
        ...{ counterparty: { balanceAccountId: account }, reference: 'key-1' },
      },
      { 'idempotency-key': key },
    );
  const payOut = (value: number): Promise<Said> =>
    call('/btl/v4/transfers', {
      ...{ amount: { value, currency: 'EUR' }, balanceAccountId: account, category: 'bank', priority: 'regular' },
      ...{ counterparty: { transferInstrumentId: instrument() }, reference: 'key-1', description: 'Payer' },
    });
  const instrument = (): string =>
    adyen.books.entity(adyen.books.holder('AH_PAYEE').legalEntityId).instruments[0]?.id ?? '';
  const listed = async (changes: Record<string, string> = {}): Promise<Said> => {
    const [createdSince, createdUntil] = [-86_400_000, 86_400_000].map((ms) =>
      new Date(clock.now().getTime() + ms).toISOString(),
    ) as [string, string];
    const asked = { balancePlatform: 'SimulatedPlatform', reference: 'key-1', createdSince, createdUntil, ...changes };
    return call(`/btl/v4/transfers?${new URLSearchParams(asked).toString()}`);
  };
  const held = (): unknown[] =>
    ['BA_PLATFORM', account].map((id) => adyen.state.accounts.find((each) => each.id === id)?.balances.EUR ?? 0);

  it('brings money to the account, and from there to the bank, step by step', async () => {
    expect((await fund(2_500)).body).toMatchObject({ status: 'authorised', reference: 'key-1' });
    expect(held()).toEqual([7_500, 2_500]);
    adyen.destines('key-1', { until: 'authorised', fails: null });
    const { body } = await payOut(2_500);
    expect([body.status, held()]).toEqual(['authorised', [7_500, 2_500]]);
    expect((await fund(8_000)).body).toMatchObject({ status: 'refused', reason: 'notEnoughBalance' });
    expect((await payOut(1)).body).toMatchObject({ status: 'refused', reason: 'notEnoughBalance' });
    adyen.destines('key-1', null);
    expect(held()).toEqual([7_500, 0]);
    const { data } = (await listed({ category: 'bank' })).body;
    expect(data.find(({ id }) => id === body.id)).toMatchObject({
      ...{ status: 'booked', tracking: { type: 'confirmation', status: 'credited' } },
      events: [{ status: 'received' }, { status: 'authorised' }, { status: 'booked' }, { type: 'tracking' }],
    });
  });

  it('shows money between two accounts on both sides, under one reference', async () => {
    await fund(2_500);
    const { data } = (await listed()).body;
    expect(data).toMatchObject([
      { direction: 'outgoing', balanceAccount: { id: 'BA_PLATFORM' }, accountHolder: { id: 'AH_PLATFORM' } },
      { direction: 'incoming', balanceAccount: { id: account }, accountHolder: { id: 'AH_PAYEE' } },
    ]);
  });

  it('lists page by page, and no more than half a year', async () => {
    for (let count = 0; count < 3; count += 1) await fund(100);
    const first = await listed({ limit: '4', sortOrder: 'desc' });
    const { href } = (first.body._links as { next: { href: string } }).next;
    const second = await call(href.slice(url.length));
    expect([first.body.data.length, second.body.data.length, second.body._links]).toEqual([4, 2, undefined]);
    const longAgo = new Date(clock.now().getTime() - 200 * 86_400_000).toISOString();
    expect((await listed({ createdSince: longAgo })).status).toBe(422);
    expect((await call('/btl/v4/transfers?balancePlatform=SimulatedPlatform')).status).toBe(422);
  });

  it('answers a key as before for a week, and pays once more after that', async () => {
    const first = await fund(2_500, 'one');
    expect(await fund(2_500, 'one')).toEqual(first);
    expect((await fund(2_501, 'one')).body).toMatchObject({ status: 422, errorCode: '704' });
    clock.advance(7 * 86_400 + 1);
    await fund(2_500, 'one');
    expect(held()).toEqual([5_000, 5_000]);
    expect((await fund(1, 'k'.repeat(65))).status).toBe(422);
  });

  it.each([
    ['returned', 100, [7_500, 2_400]],
    ['failed', 0, [7_500, 2_500]],
  ])('gives back to the account what %s at the bank, less %i', async (what, kept, balances) => {
    await fund(2_500);
    await payOut(2_500);
    const [bank] = adyen.banksOf('key-1') as [never];
    if (what === 'returned') adyen.books.returns(bank, 'counterpartyAccountClosed', kept);
    else adyen.books.fails(bank, 'refusedByCounterpartyBank');
    expect(held()).toEqual(balances);
    expect((await listed({ category: 'bank' })).body.data).toContainEqual(expect.objectContaining({ status: what }));
  });

  it('verifies somebody after a while, though nobody tells', async () => {
    await adyen.stop();
    adyen = made(null, { verifiedAfterMs: 60_000 });
    url = await adyen.start();
    adyen.hasHolder({ id: 'AH_NEW', standing: 'incomplete' });
    const { legalEntityId } = adyen.books.holder('AH_NEW');
    const asked = { redirectUrl: 'https://shop.example/done' };
    const { body } = await call(`/lem/v4/legalEntities/${legalEntityId}/onboardingLinks`, asked);
    const form = new URLSearchParams({ first: 'Ada', last: 'L', iban: 'DE89370400440532013000', outcome: 'approve' });
    await fetch(String(body.url), { method: 'POST', body: form, redirect: 'manual' });
    const allowed = async (): Promise<unknown> => {
      const { capabilities } = (await call('/bcl/v2/accountHolders/AH_NEW')).body;
      return (capabilities as Record<string, { allowed: boolean }>).sendToTransferInstrument?.allowed;
    };
    expect(await allowed()).toBe(false);
    clock.advance(61);
    expect(await allowed()).toBe(true);
  });

  it('knows neither the accounts of others nor their keys, and each key its own API', async () => {
    expect((await call('/bcl/v2/accountHolders/AH_FOREIGN')).body).toMatchObject({ errorCode: '30_012' });
    expect((await call('/bcl/v2/balancePlatforms/Other/accountHolders')).status).toBe(422);
    const other = { 'x-api-key': KEYS.entitiesKey };
    expect((await call('/bcl/v2/balanceAccounts/BA_PLATFORM', undefined, other)).status).toBe(401);
    expect((await call('/bcl/v2/balanceAccounts/BA_PLATFORM')).body.balances).toMatchObject([{ available: 10_000 }]);
  });

  it('keeps its books on disk, and tells of each step, signed, in words that are published', async () => {
    await adyen.stop();
    const heard: { type: string; status: string }[] = [];
    let hears = (): void => undefined;
    const first = new Promise<void>((resolve) => (hears = resolve));
    const listener = await startLoopbackServer(async (request, response) => {
      const { type, data } = JSON.parse(await readBody(request)) as { type: string; data: { status: string } };
      watch?.seeNotice(type, { environment: 'test', type, data });
      expect(request.headers.hmacsignature).toMatch(/^[A-Za-z0-9+/]{43}=$/);
      heard.push({ type, status: data.status });
      hears();
      response.end();
    });
    const file = join(directory, 'books.json');
    adyen = made(file);
    adyen.hasHolder({ id: 'AH_PAYEE' });
    account = accountOf('AH_PAYEE');
    adyen.tellsAt(listener.url);
    url = await adyen.start();
    await fund(2_500);
    adyen.destines('key-1', { until: 'booked', fails: null });
    await payOut(2_500);
    expect(held()).toEqual([7_500, 0]);
    await first;
    await adyen.stop();
    await listener.close();
    expect(heard[0]).toEqual({ type: 'balancePlatform.transfer.created', status: 'received' });
    adyen = made(file);
    url = await adyen.start();
    expect([held(), adyen.banksOf('key-1').map(({ status }) => status)]).toEqual([[7_500, 0], ['booked']]);
  });

  if (schema === null) leaveOut(`nothing was held against Adyen's schema ${NO_SCHEMA}`, () => undefined);
  else
    it("complains about what is not in Adyen's schema", async () => {
      await call('/bcl/v2/balanceAccounts', { accountHolderId: 'AH_PAYEE', note: 'made up' });
      expect(watch?.complaints.splice(0)).toMatchObject([{ says: expect.stringContaining('"note"') as string }]);
    });
});
