/** An account is opened for a payee: once, whatever crosses, crashes or gets lost, and never in place of another. */
import type { Client } from '#libs/clients';
import { Db } from '#libs/db';
import { BlockPayee, MintOnboardingLink, OpenAccount, type Payee, PayeeReads, UpsertPayee } from '#libs/payees';
import type { AccountRequest, OpeningAnswer } from '#libs/rail-kit';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

const NEW = { ...PAYABLE, payable: false, kyc: 'not_started', onboarding: 'not_started' } as typeof PAYABLE;
const VISIT = { returnUrl: 'https://shop.example/done', refreshUrl: 'https://pay.example/again', locale: null };

describe('an account that is opened', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let requests: AccountRequest[];
  /** What the rail opens, by key; a spec decides what it says. */
  let answer: (request: AccountRequest) => Promise<OpeningAnswer>;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 3_600 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    requests = [];
    answer = async ({ key }) => opened(key);
    const openAccount = (request: AccountRequest): Promise<OpeningAnswer> => {
      requests.push(request);
      return answer(request);
    };
    Object.assign(world.rail, { openAccount });
    payee = await world.payee(client, { country: 'FR' });
  });

  const opened = (key: string): OpeningAnswer => {
    world.rail.accounts.set(`acct_${key}`, NEW);
    return { kind: 'opened', accountId: `acct_${key}` };
  };
  const open = () => world.get(OpenAccount).run(client, payee.id);
  const keys = (): Set<string> => new Set(requests.map(({ key }) => key));
  const methods = (): Promise<{ account: string; status: string }[]> =>
    world.db.rows('SELECT provider_account_id AS account, status FROM methods WHERE payee_id = $1', [payee.id]);
  const openings = (): Promise<{ key: string; accountId: string | null; refusal: string | null }[]> =>
    world.db.rows('SELECT * FROM account_openings WHERE payee_id = $1 ORDER BY number', [payee.id]);

  test('is the one its payee is paid over from then on, and not payable before somebody was verified', async () => {
    expect(await open()).toMatchObject({ kind: 'account', method: { status: 'active' }, payee: { payable: false } });
    const [{ key }] = requests as [AccountRequest];
    expect(await methods()).toEqual([{ account: `acct_${key}`, status: 'active' }]);
    expect(await open()).toMatchObject({ kind: 'account' });
    expect(requests).toHaveLength(1);
  });

  test('has its key before the rail is asked, and no transaction is open meanwhile', async () => {
    let known: unknown;
    answer = async ({ key }) => {
      world.get(Db).assertNoTransaction('The rail');
      known = await openings();
      return opened(key);
    };
    await open();
    expect(known).toMatchObject([{ key: requests[0]?.key, accountId: null }]);
  });

  test('is one, if two requests cross', async () => {
    let go: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (go = resolve));
    answer = async ({ key }) => {
      if (requests.length === 2) go();
      await both;
      return opened(key);
    };
    expect(await Promise.all([open(), open()])).toMatchObject([{ kind: 'account' }, { kind: 'account' }]);
    expect([keys().size, (await methods()).length, (await openings()).length]).toEqual([1, 1, 1]);
  });

  test.each<[string, OpeningAnswer]>([
    ['the answer was lost', { kind: 'unknown', detail: 'no answer' }],
    ['the rail could not do it', { kind: 'refused', failure: 'transient', reason: 'maintenance' }],
    ['the rail gave it no name', { kind: 'opened', accountId: '' }],
  ])('is asked for again under the same key, and for whom it was, if %s', async (_, first) => {
    answer = async () => first;
    expect(await open()).toMatchObject({ kind: 'later' });
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, name: 'Ada King' });
    answer = async ({ key }) => opened(key);
    expect(await open()).toMatchObject({ kind: 'account' });
    expect(requests).toHaveLength(2);
    expect(requests[1]).toEqual(requests[0]);
  });

  test('is found again under the same key, if this process dies before it is written down', async () => {
    await world.db.execute('ALTER TABLE account_openings ADD CONSTRAINT dies CHECK (account_id IS NULL) NOT VALID');
    await expect(open()).rejects.toThrow();
    await world.db.execute('ALTER TABLE account_openings DROP CONSTRAINT dies');
    expect(await open()).toMatchObject({ kind: 'account' });
    expect([requests.length, keys().size]).toEqual([2, 1]);
  });

  test('comes to the same key in a database that forgot it', async () => {
    await open();
    await world.db.execute('DELETE FROM methods WHERE payee_id = $1', [payee.id]);
    await world.db.execute('DELETE FROM account_openings WHERE payee_id = $1', [payee.id]);
    await open();
    expect([requests.length, keys().size]).toEqual([2, 1]);
  });

  test('is asked for under another key, once the rail refused it for good', async () => {
    answer = async () => ({ kind: 'refused', failure: 'permanent', reason: 'not in this country' });
    expect(await open()).toEqual({ kind: 'refused', reason: 'not in this country' });
    answer = async ({ key }) => opened(key);
    expect(await open()).toMatchObject({ kind: 'account' });
    expect(keys().size).toBe(2);
    expect(await openings()).toMatchObject([{ refusal: 'not in this country' }, { refusal: null }]);
  });

  test('stays what it is, if a request that crossed it heard a refusal', async () => {
    let refuse: () => void = () => undefined;
    const later = new Promise<void>((resolve) => (refuse = resolve));
    answer = async ({ key }) => {
      if (requests.length > 1) return opened(key);
      await later;
      return { kind: 'refused', failure: 'permanent', reason: 'known already' };
    };
    const first = open();
    while (requests.length === 0) await new Promise(setImmediate);
    expect(await open()).toMatchObject({ kind: 'account' });
    refuse();
    expect(await first).toMatchObject({ kind: 'account' });
    expect(await openings()).toMatchObject([{ refusal: null }]);
  });

  test('does not take the place of one that was adopted meanwhile', async () => {
    let account = '';
    answer = async ({ key }) => {
      account = await world.adopt(client, payee);
      return opened(key);
    };
    expect(await open()).toMatchObject({ kind: 'account', method: { providerAccountId: account } });
    expect(await methods()).toEqual([{ account, status: 'active' }]);
  });

  test('is linked once it can be read, and not opened again for that', async () => {
    answer = async ({ key }) => {
      const named = opened(key);
      world.rail.accounts.set(`acct_${key}`, { kind: 'unconfirmed', detail: 'not visible yet' });
      return named;
    };
    expect(await open()).toMatchObject({ kind: 'later' });
    opened(requests[0]?.key ?? '');
    expect(await open()).toMatchObject({ kind: 'account' });
    expect(requests).toHaveLength(1);
  });

  test('is opened and linked for nobody who is cooling down', async () => {
    const cooling = (): Promise<unknown> =>
      world.db.execute(`UPDATE payees SET cooling_until = now() + interval '1 hour' WHERE id = $1`, [payee.id]);
    answer = async ({ key }) => {
      await cooling();
      return opened(key);
    };
    await expect(open()).rejects.toMatchObject({ code: 'payee_cooling_down' });
    await expect(open()).rejects.toMatchObject({ code: 'payee_cooling_down' });
    expect([requests.length, await methods()]).toEqual([1, []]);
  });

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['who is blocked', () => world.get(BlockPayee).run(payee.id, true, null), /blocked/],
    ['whom no rail serves', () => set('AQ'), /no rail/],
    ['who can be paid without one', () => set('DE'), /can be paid already/],
    [
      'whose rail opens none',
      async () => void delete (world.rail as { openAccount?: unknown }).openAccount,
      /opens no/,
    ],
  ])('is not opened for a payee %s', async (_, make, reason) => {
    await make();
    expect(await open()).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
    expect([requests.length, await openings()]).toEqual([0, []]);
  });
  const set = (country: string): Promise<Payee> =>
    world.get(UpsertPayee).run(client, { externalId: payee.externalId, country });

  test('is reached by links that are made when they are asked for, and kept nowhere', async () => {
    let made = 0;
    const onboardingLink = async (id: string) => {
      made += 1;
      return { kind: 'link', url: `https://pay.example/${id}?secret=${made}`, expiresAt: null };
    };
    Object.assign(world.rail, { onboardingLink });
    const mint = () => world.get(MintOnboardingLink).run(client, payee.id, VISIT, async () => true);
    const links = [await mint(), await mint()];
    expect(links).toMatchObject([{ url: expect.stringMatching(/=1$/) }, { url: expect.stringMatching(/=2$/) }]);
    expect(requests).toHaveLength(1);
    const tables = ['payees', 'methods', 'account_openings', 'events', 'jobs', 'mails', 'rail_records'];
    for (const table of tables)
      expect(await world.db.rows(`SELECT FROM ${table} WHERE ${table}::text LIKE '%secret=%'`)).toEqual([]);
    const insecure = async () => ({ kind: 'link', url: 'http://pay.example/?secret=3', expiresAt: null });
    Object.assign(world.rail, { onboardingLink: insecure });
    expect(await mint()).toEqual({ kind: 'later', detail: expect.not.stringContaining('secret') });
  });

  test('belongs to its client: others do not find the payee', async () => {
    const other = await world.client();
    await expect(world.get(OpenAccount).run(other, payee.id)).rejects.toMatchObject({ code: 'payee_not_found' });
    expect(await world.get(PayeeReads).find(client.id, payee.id)).toMatchObject({ payable: false });
  });
});
