/** Whose account is asked about when: many of one client, of a test client or of a silent rail keep nobody else's waiting. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { type Payee, PayabilityJob, PayeeReads } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

const NOT_PAYABLE = { ...PAYABLE, payable: false, kyc: 'pending' } as typeof PAYABLE;
const GONE = { kind: 'unconfirmed', detail: 'the account does not exist' } as const;
const MANY = 600;

describe('the standing of accounts', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    await world.db.execute('DELETE FROM methods');
    client = await world.client();
    payee = await world.payee(client, { country: 'FR' });
  });

  const onSchedule = (): Promise<void> => world.get(PayabilityJob).onSchedule();
  const isPayable = async (): Promise<boolean | undefined> =>
    (await world.get(PayeeReads).find(client.id, payee.id))?.payable;
  /** Adopted as payable, and not so any more; nobody has asked since. */
  const lapsed = async (): Promise<string> => {
    const account = await world.adopt(client, payee);
    world.rail.accounts.set(account, NOT_PAYABLE);
    await world.db.execute('UPDATE methods SET ask_at = now() WHERE provider_account_id = $1', [account]);
    world.rail.forgetReadings();
    return account;
  };
  const wait = async (minutes: number): Promise<void> => {
    await world.db.execute(`UPDATE methods SET ask_at = ask_at - $1::float8 * interval '1 minute'`, [minutes]);
    world.rail.forgetReadings();
  };
  /** Accounts of another client, which are due for longer than any other, the first one longest. */
  const many = async (of: { payable?: boolean; testMode?: boolean; provider?: string; count?: number }) => {
    const { payable = false, testMode = false, provider = 'custodial_a', count = MANY } = of;
    const { id } = await world.client({ testMode });
    const prefix = `many_${randomUUID()}`;
    await world.db.execute(
      `WITH added AS (
         INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status)
         SELECT gen_random_uuid(), $1, $2 || '_' || n, false, 'pending', 'in_progress' FROM generate_series(1, $3::int) AS n
         RETURNING id, external_id)
       INSERT INTO methods (id, client_id, payee_id, provider, provider_account_id, test_mode, payable, status, ask_at)
       SELECT gen_random_uuid(), $1, id, $4, external_id, $5, $6, 'active',
         now() - interval '9 days' + substring(external_id FROM '[0-9]+$')::int * interval '1 second' FROM added`,
      [id, prefix, count, provider, testMode, payable],
    );
    const names = Array.from({ length: count }, (_, index) => `${prefix}_${index + 1}`);
    for (const name of names) world.rail.accounts.set(name, payable ? PAYABLE : NOT_PAYABLE);
    return names;
  };

  test('that the rail says does not exist is not payable any more, and is so again once it does', async () => {
    const account = await lapsed();
    world.rail.accounts.set(account, GONE);
    await onSchedule();
    expect(await isPayable()).toBe(false);
    expect(await world.get(PayeeReads).find(client.id, payee.id)).toMatchObject({ kycStatus: 'verified' });
    world.rail.accounts.set(account, PAYABLE);
    await wait(1);
    await onSchedule();
    expect(await isPayable()).toBe(true);
  });

  test('that the rail cannot tell of stays as it is known', async () => {
    world.rail.accounts.set(await lapsed(), { kind: 'unknown', detail: 'no answer' });
    await onSchedule();
    expect(await isPayable()).toBe(true);
  });

  test.each([
    ['not payable', {}],
    ['payable', { payable: true }],
    ['not payable, in test mode', { testMode: true }],
  ])('is read, however many another client has that are %s', async (_, of) => {
    await many(of);
    await lapsed();
    await onSchedule();
    expect(await isPayable()).toBe(false);
  });

  test('is read, however many of the same client are not payable', async () => {
    await lapsed();
    await many({});
    await world.db.execute('UPDATE methods SET client_id = $1', [client.id]);
    await onSchedule();
    expect(await isPayable()).toBe(false);
  });

  test('is read while another rail is silent, also by the next run', async () => {
    const silent = await many({ provider: 'swap_rail', count: 40 });
    let speak: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => (speak = resolve));
    for (const account of silent) world.rail.silentAbout.set(account, silence);
    const first = onSchedule();
    await world.rail.readingOf(silent[0] as string);
    const account = await lapsed();
    // As the schedule does, while the first run is still at it.
    while (!world.rail.accountsRead.includes(account)) await onSchedule();
    expect(await isPayable()).toBe(false);
    speak();
    await first;
  });

  test('that stays not payable is read less and less often, and soon once it is adopted again', async () => {
    const account = await lapsed();
    await onSchedule();
    const readAfter = async (minutes: number): Promise<boolean> => {
      await wait(minutes);
      await onSchedule();
      return world.rail.accountsRead.includes(account);
    };
    expect(await readAfter(1)).toBe(true);
    await world.db.execute(`UPDATE methods SET standing_since = now() - interval '8 hours', ask_at = now()`);
    expect(await readAfter(0)).toBe(true);
    expect(await readAfter(50)).toBe(false);
    expect(await readAfter(11)).toBe(true);
    // Never so seldom that nobody would wait for it.
    await world.db.execute(`UPDATE methods SET standing_since = now() - interval '1 year', ask_at = now()`);
    expect(await readAfter(0)).toBe(true);
    expect(await readAfter(4 * 60 + 1)).toBe(true);
    await world.adopt(client, payee, account);
    expect(await readAfter(1)).toBe(true);
  });
});
