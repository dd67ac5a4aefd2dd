/** What the simulated Circle does with money, keys and secrets, with every exchange held against the schema that Circle publishes. */
import { constants, publicEncrypt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FixedClock } from '#libs/rail-kit/testing';
import { ContractWatch, NO_SCHEMA, publishedSchema } from '#libs/provider-sandbox';
import { CircleSandbox } from './circle-sandbox';
import { TOKEN_ID } from './circle-words';

const KEY = 'TEST_API_KEY:a:b';
const SECRET = 'cd'.repeat(32);
const HOME = `0x${'12'.repeat(20)}`;
const TAKES_MS = 4_000;
const schema = publishedSchema('circle');
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

interface Said {
  status: number;
  code?: number;
  // eslint-disable-next-line no-restricted-syntax -- answers of all shapes: what is missing shows in the assertion
  data: any;
}

describe('the simulated Circle', () => {
  const directory = mkdtempSync(join(tmpdir(), 'circle-'));
  let clock: FixedClock;
  let circle: CircleSandbox;
  let url: string;
  let watch: ContractWatch | null;

  beforeEach(async () => {
    clock = new FixedClock();
    watch = schema === null ? null : new ContractWatch(schema, { unpublished: [], closed: true });
    circle = simulated(join(directory, `${randomUUID()}.json`));
    url = await circle.start();
  });
  afterEach(async () => {
    await circle.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const simulated = (file: string): CircleSandbox =>
    new CircleSandbox({
      ...{ apiKey: KEY, entitySecret: SECRET, clock, file, treasuryCents: 10_000, processedAfterMs: TAKES_MS },
      watch: (request, answer) => watch?.see(request, answer),
    });

  async function call(method: string, path: string, asked?: object, key = KEY): Promise<Said> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(asked ? { body: JSON.stringify(asked) } : {}) });
    return { status: response.status, ...((await response.json()) as Omit<Said, 'status'>) };
  }

  async function ciphertext(secret = SECRET): Promise<string> {
    const { data } = await call('GET', '/v1/w3s/config/entity/publicKey');
    const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    return publicEncrypt({ key: data.publicKey, ...padding }, Buffer.from(secret, 'hex')).toString('base64');
  }

  const move = async (path: string, asked: object, changes: object = {}): Promise<Said> =>
    call('POST', `/v1/w3s/developer/${path}`, {
      ...{ idempotencyKey: randomUUID(), entitySecretCiphertext: await ciphertext(), ...asked, ...changes },
    });
  const transfer = (changes: object = {}): Promise<Said> =>
    move('transactions/transfer', {
      ...{ walletId: circle.treasury.id, destinationAddress: HOME, tokenId: TOKEN_ID, feeLevel: 'LOW' },
      ...{ amounts: ['10.05'], refId: 'mine', ...changes },
    });
  const read = async (id: string): Promise<Said['data']> =>
    (await call('GET', `/v1/w3s/transactions/${id}`)).data.transaction;
  const held = (): number[] => [circle.treasury.address, HOME].map((address) => circle.books.balanceOf(address));

  it('takes a transfer through its states by the clock, and moves the money at the end', async () => {
    const { status, data } = await transfer();
    expect([status, data.state]).toEqual([201, 'INITIATED']);
    const states: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      states.push((await read(data.id)).state);
      expect(held()).toEqual(turn < 4 ? [100_000_000, 0] : [89_950_000, 10_050_000]);
      clock.advance(TAKES_MS / 4_000);
    }
    expect(states).toEqual(['INITIATED', 'QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE']);
    expect(await read(data.id)).toMatchObject({ amounts: ['10.05'], refId: 'mine', networkFeeInUSD: '0.0251' });
  });

  it('answers a key as before, and takes no other words under it', async () => {
    const idempotencyKey = randomUUID();
    const first = await transfer({ idempotencyKey });
    expect(await transfer({ idempotencyKey })).toEqual({ ...first, status: 200 });
    expect(await transfer({ idempotencyKey, amounts: ['10.06'] })).toMatchObject({ status: 400, code: 177607 });
    expect(await transfer({ idempotencyKey: 'mine' })).toMatchObject({ status: 400, code: 2 });
    expect(circle.state.transactions).toHaveLength(1);
  });

  it('uses no key up that it turned away', async () => {
    const idempotencyKey = randomUUID();
    expect(await transfer({ idempotencyKey, amounts: ['100.01'] })).toMatchObject({ status: 400, code: 155258 });
    expect(await transfer({ idempotencyKey, amounts: ['100'] })).toMatchObject({ status: 201 });
    // All of it is under way.
    expect(await transfer({ amounts: ['0.000001'] })).toMatchObject({ code: 155258 });
  });

  it('takes the secret encrypted for its key, once', async () => {
    const entitySecretCiphertext = await ciphertext();
    expect(await transfer({ entitySecretCiphertext })).toMatchObject({ status: 201 });
    expect(await transfer({ entitySecretCiphertext })).toMatchObject({ status: 400, code: 156004 });
    const others = await ciphertext('ef'.repeat(32));
    expect(await transfer({ entitySecretCiphertext: others })).toMatchObject({ status: 400, code: 156013 });
    const late = await ciphertext();
    circle.deeds.rotate?.({});
    expect(await transfer({ entitySecretCiphertext: late })).toMatchObject({ code: 156013 });
    expect(await transfer()).toMatchObject({ status: 201 });
    expect((await call('GET', '/v1/w3s/wallets', undefined, 'TEST_API_KEY:of:others')).status).toBe(401);
  });

  it.each([
    [{ destinationAddress: 'nowhere' }, 155219],
    [{ amounts: ['0'] }, 155221],
    [{ amounts: ['1.0000001'] }, 155221],
    [{ feeLevel: undefined }, 155232],
    [{ tokenId: randomUUID() }, 156002],
    [{ walletId: randomUUID() }, 156001],
  ])('turns %p away with %i', async (changes, code) => {
    expect(await transfer(changes)).toMatchObject({ code });
    expect(circle.state.transactions).toEqual([]);
  });

  it.each([
    ['refuse', { reason: 'INSUFFICIENT_NATIVE_TOKEN' }, 'FAILED'],
    ['deny', {}, 'DENIED'],
  ])('moves nothing of what somebody destined otherwise: %s', async (deed, more, state) => {
    circle.deeds[deed]?.({ reference: 'mine', ...more });
    const { data } = await transfer();
    clock.advance(60);
    expect(await read(data.id)).toMatchObject({ state });
    expect(held()).toEqual([100_000_000, 0]);
  });

  it('pays nothing from a wallet that is frozen', async () => {
    circle.deeds.freeze?.({ wallet: circle.treasury.id });
    expect(await transfer()).toMatchObject({ status: 400, code: 155501 });
  });

  it('makes wallets in a set, and finds them by their reference', async () => {
    const set = (await move('walletSets', { name: 'ours' })).data.walletSet;
    const wanted = {
      walletSetId: set.id,
      blockchains: ['ETH-SEPOLIA'],
      accountType: 'SCA',
      metadata: [{ refId: 'ada' }],
    };
    const [wallet] = (await move('wallets', wanted)).data.wallets;
    await move('wallets', { ...wanted, metadata: [{ refId: 'eve' }] });
    const found = await call('GET', `/v1/w3s/wallets?walletSetId=${set.id}&refId=ada`);
    expect(found.data.wallets).toEqual([wallet]);
    expect((await call('GET', `/v1/w3s/wallets/${wallet.id}/balances`)).data.tokenBalances).toEqual([]);
    expect(await move('wallets', { ...wanted, walletSetId: randomUUID() })).toMatchObject({ status: 404 });
  });

  it('lists page by page, what left a wallet for an address since then', async () => {
    for (let count = 0; count < 3; count += 1) {
      await transfer({ amounts: [`${count + 1}`] });
      clock.advance(10);
    }
    await transfer({ destinationAddress: circle.treasury.address });
    const asked = `/v1/w3s/transactions?walletIds=${circle.treasury.id}&destinationAddress=${HOME}&pageSize=2`;
    const first = (await call('GET', asked)).data.transactions;
    const second = (await call('GET', `${asked}&pageAfter=${first[1].id}`)).data.transactions;
    expect([...first, ...second].map(({ amounts }: { amounts: string[] }) => amounts[0])).toEqual(['3', '2', '1']);
    const since = (await call('GET', `${asked}&from=${first[0].createDate}`)).data.transactions;
    expect(since).toHaveLength(1);
    expect((await call('GET', '/v1/w3s/transactions?txType=INBOUND')).data.transactions).toEqual([]);
  });

  it('begins again where it stopped', async () => {
    const file = join(directory, 'kept.json');
    const before = simulated(file);
    before.fund(1_234);
    const after = simulated(file);
    expect(after.treasury).toEqual(before.treasury);
    expect(after.books.balanceOf(after.treasury.address)).toBe(12_340_000);
    expect(after.state.keys).toEqual(before.state.keys);
  });

  it('tells where it was asked to tell', async () => {
    await call('POST', '/v2/notifications/subscriptions', { endpoint: 'https://gateway.example/notices' });
    expect((await call('GET', '/v2/notifications/subscriptions')).data).toHaveLength(1);
    expect(circle.state.noticesUrl).toBe('https://gateway.example/notices');
    expect(JSON.stringify(circle.shown())).not.toContain('PRIVATE KEY');
  });

  if (schema === null) leaveOut(`nothing was held against Circle's schema ${NO_SCHEMA}`, () => undefined);
  else
    it("complains about what is not in Circle's schema", async () => {
      await transfer({ note: 'made up' });
      expect(watch?.complaints.splice(0)).toMatchObject([{ says: expect.stringContaining('"note"') as string }]);
    });
});
