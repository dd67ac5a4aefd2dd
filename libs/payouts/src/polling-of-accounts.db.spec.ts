/** Many accounts of a rail: several are asked about at once, no more than its share of calls, and none loses its turn to silence. */
import { randomUUID } from 'node:crypto';
import { type Payee, PayabilityJob, PayeeReads, ReadAccount } from '#libs/payees';
import type { Client } from '#libs/clients';
import type { AccountDetails } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

const NOT_PAYABLE = { ...PAYABLE, payable: false, kyc: 'pending' } as typeof PAYABLE;
const DETAILS: AccountDetails = { brand: 'Sparkasse', last4: '4242', currency: 'EUR', name: 'Ada Lovelace' };

describe('asking a rail about accounts', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    await world.db.execute('DELETE FROM methods');
    await world.db.execute('DELETE FROM rail_lanes');
  });
  afterEach(() => jest.restoreAllMocks());

  const onSchedule = (): Promise<void> => world.get(PayabilityJob).onSchedule();
  const adopted = async (account?: string): Promise<{ payee: Payee; account: string }> => {
    const payee = await world.payee(client, { country: 'FR' });
    return { payee, account: await world.adopt(client, payee, account) };
  };
  /** Rows of accounts that are all due, the first one longest. */
  const due = async (count: number, payable: boolean): Promise<string[]> => {
    const prefix = `due_${randomUUID()}`;
    await world.db.execute(
      `WITH added AS (
         INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status)
         SELECT gen_random_uuid(), $1, $2 || '_' || n, false, 'pending', 'in_progress' FROM generate_series(1, $3::int) AS n
         RETURNING id, external_id)
       INSERT INTO methods (id, client_id, payee_id, provider, provider_account_id, test_mode, payable, status, ask_at)
       SELECT gen_random_uuid(), $1, id, 'custodial_a', external_id, false, $4, 'active',
         now() - interval '9 days' + substring(external_id FROM '[0-9]+$')::int * interval '1 second' FROM added`,
      [client.id, prefix, count, payable],
    );
    const names = Array.from({ length: count }, (_, index) => `${prefix}_${index + 1}`);
    for (const name of names) world.rail.accounts.set(name, payable ? PAYABLE : NOT_PAYABLE);
    return names;
  };
  const waitsFor = async (accounts: string[]): Promise<number[]> => {
    const rows = await world.db.rows<{ seconds: number }>(
      `SELECT extract(epoch FROM ask_at - now())::float8 AS seconds FROM methods WHERE provider_account_id = ANY($1)`,
      [accounts],
    );
    return rows.map(({ seconds }) => seconds);
  };
  const isRead = async (account: string): Promise<void> => {
    while (!world.rail.accountsRead.includes(account)) await onSchedule();
  };

  test('goes on with payable ones while it is silent about the others, also in the next run', async () => {
    const silent = await due(40, false);
    let speak: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => (speak = resolve));
    for (const account of silent) world.rail.silentAbout.set(account, silence);
    const first = onSchedule();
    await world.rail.readingOf(silent[0] as string);
    const [one] = await due(1, true);
    await isRead(one as string);
    speak();
    await first;
  });

  test('several at once; one that it is slow about holds none of the others', async () => {
    const [slow = '', ...others] = await due(30, false);
    let speak: () => void = () => undefined;
    world.rail.silentAbout.set(slow, new Promise<void>((resolve) => (speak = resolve)));
    const run = onSchedule();
    await Promise.all(others.map((account) => world.rail.readingOf(account)));
    speak();
    await run;
    expect(world.rail.accountsRead).toHaveLength(30);
  });

  test('leaves most of the calls that it allows a second to payouts', async () => {
    const rails = world.get(Rails);
    const traits = { ...rails.traits('custodial_a'), callsPerSecond: 1_000 } as NonNullable<
      ReturnType<Rails['traits']>
    >;
    const allowed = jest.spyOn(rails, 'traits').mockReturnValue(traits);
    const most = async (atLeast: number): Promise<number> => {
      const names = await due(12, false);
      let speak: () => void = () => undefined;
      world.rail.accountGate = new Promise<void>((resolve) => (speak = resolve));
      world.rail.forgetReadings();
      const run = onSchedule();
      await Promise.all(names.slice(0, atLeast).map((name) => world.rail.readingOf(name)));
      // Whoever else is at it has been by then.
      for (let turn = 0; turn < 50; turn += 1) await world.db.rows('SELECT 1');
      const atOnce = world.rail.accountsRead.length;
      world.rail.accountGate = Promise.resolve();
      speak();
      await run;
      await world.db.execute('DELETE FROM methods');
      return atOnce;
    };
    expect(await most(4)).toBe(4);
    allowed.mockReturnValue({ ...traits, callsPerSecond: 8 });
    expect(await most(1)).toBeLessThanOrEqual(2);
  });

  test('takes no turn from an account that it did not speak of, if it wants to be left alone', async () => {
    const names = await due(40, true);
    jest.spyOn(world.rail, 'readAccount').mockImplementation(async (id) => {
      world.rail.accountsRead.push(id);
      return { kind: 'not_now', afterSeconds: 1, detail: 'too many calls' } as never;
    });
    const { asked } = await world.get(PayabilityJob).now();
    expect(asked).toBeLessThanOrEqual(4);
    for (const seconds of await waitsFor(names)) expect(seconds).toBeLessThanOrEqual(1);
  });

  test('comes back in minutes, and not the next day, to a payable account that it could not tell of', async () => {
    await world.db.execute('DELETE FROM rail_lanes');
    const names = await due(3, true);
    for (const name of names) world.rail.accounts.set(name, { kind: 'unknown', detail: 'no answer' });
    await isRead(names[2] as string);
    for (const seconds of await waitsFor(names)) expect(seconds).toBeLessThanOrEqual(600);
  });

  test('comes back in minutes to a payable account of which its answer could not be written', async () => {
    const [name = ''] = await due(1, true);
    const reading = jest.spyOn(world.get(ReadAccount), 'run').mockRejectedValue(new Error('nothing can be written'));
    while (reading.mock.calls.length === 0) await onSchedule();
    for (const seconds of await waitsFor([name])) expect(seconds).toBeLessThanOrEqual(600);
  });

  test('spreads over hours what it was asked about at once', async () => {
    const names = await due(120, true);
    await isRead(names[119] as string);
    const waits = await waitsFor(names);
    expect(Math.max(...waits)).toBeLessThanOrEqual(86_400);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(3_600);
  });

  test('keeps what a person recognises an account by, until it says otherwise', async () => {
    const account = `acct_${randomUUID()}`;
    world.rail.accounts.set(account, { ...NOT_PAYABLE, details: DETAILS } as typeof PAYABLE);
    const { payee } = await adopted(account);
    const kept = (): Promise<unknown> =>
      world.db.row('SELECT details, details_at = asked_at AS now FROM methods WHERE payee_id = $1', [payee.id]);
    expect(await kept()).toEqual({ details: DETAILS, now: true });
    const read = async (fact: typeof PAYABLE): Promise<unknown> => {
      world.rail.accounts.set(account, fact);
      await world.db.execute('UPDATE methods SET ask_at = now()');
      world.rail.forgetReadings();
      await isRead(account);
      return kept();
    };
    expect(await read(PAYABLE)).toEqual({ details: DETAILS, now: false });
    const other = { ...DETAILS, brand: 'Volksbank', last4: '9876' };
    expect(await read({ ...PAYABLE, details: other } as typeof PAYABLE)).toEqual({ details: other, now: true });
    expect(await world.get(PayeeReads).find(client.id, payee.id)).toMatchObject({ payable: true });
  });
});
