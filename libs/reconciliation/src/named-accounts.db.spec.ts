/** A provider calls about accounts: each that somebody is paid over is read soon, and a flood of calls is no flood of questions. */
import type { Client } from '#libs/clients';
import { type Payee, PayeeReads } from '#libs/payees';
import { type MoneyWorld, PAYABLE } from '#libs/payouts/testing';
import { Rails } from '#libs/rail-registry';
import { startReconciledWorld } from '../testing/src';
import { ReceiveNotice } from './use-cases/receive-notice';

const NOT_PAYABLE = { ...PAYABLE, payable: false, kyc: 'pending' } as typeof PAYABLE;

describe('accounts that a provider names', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let account: string;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    payee = await world.payee(client, { country: 'FR' });
    account = `acct_${payee.id}`;
    world.rail.accounts.set(account, NOT_PAYABLE);
    await world.adopt(client, payee, account);
    world.rail.accounts.set(account, PAYABLE);
    await world.db.execute('DELETE FROM jobs');
    await waited();
  });

  /** As if nobody had asked for a minute. */
  const waited = async (): Promise<void> => {
    await world.db.execute(`UPDATE methods SET checked_at = now() - interval '1 minute'`);
    world.rail.forgetReadings();
  };
  let sent = 0;
  const notice = (accountIds: string[], noticeId = `account notice ${(sent += 1)}`): Promise<void> => {
    Object.assign(world.rail, { readNotice: async () => ({ kind: 'hints', noticeId, railKeys: [], accountIds }) });
    return world.get(ReceiveNotice).run('custodial_a', { headers: {}, body: Buffer.from('') });
  };
  const jobs = (): Promise<{ entityId: string; owner: string; soon: boolean; attempts: number }[]> =>
    world.db.rows(
      `SELECT entity_id, owner, attempts, run_at <= now() AS soon FROM jobs WHERE name = 'payees.read_account'`,
    );
  const work = async (): Promise<void> => world.work('payees.read_account', (await jobs())[0]?.entityId ?? '');
  const isPayable = async () => (await world.get(PayeeReads).find(client.id, payee.id))?.payable;

  test('are read, and what their rail says of them is told', async () => {
    await notice([account]);
    expect(await jobs()).toMatchObject([{ owner: client.id, soon: true }]);
    await work();
    expect([world.rail.accountsRead, await isPayable(), await jobs()]).toEqual([[account], true, []]);
  });

  test('are none of ours, mostly: nothing comes of those', async () => {
    const [before] = [account];
    const replaced = `acct_other_${payee.id}`;
    await world.adopt(client, payee, replaced);
    await notice(['nobody', 'acct_missing', before, ...Array.from({ length: 2_000 }, (_, n) => `acct_${n}`)]);
    expect(await jobs()).toEqual([]);
    await notice([replaced], 'of another rail');
    expect(await jobs()).toHaveLength(1);
  });

  test('are read once, however often they are named at once', async () => {
    await Promise.all(Array.from({ length: 30 }, () => notice([account, account])));
    expect(await jobs()).toHaveLength(1);
    await work();
    await Promise.all(Array.from({ length: 30 }, () => notice([account])));
    await work();
    expect(world.rail.accountsRead).toEqual([account]);
    expect(await jobs()).toMatchObject([{ soon: false }]);
    await waited();
    await work();
    expect([world.rail.accountsRead, await jobs()]).toEqual([[account], []]);
  });

  test('are not asked about at once, if a notice is repeated', async () => {
    await notice([account], 'repeated');
    await work();
    await waited();
    await notice([account], 'repeated');
    expect(await jobs()).toMatchObject([{ soon: false }]);
  });

  test('are asked about again if their rail cannot tell, and at last left to their turn', async () => {
    world.rail.accounts.set(account, { kind: 'unknown', detail: 'no answer' });
    await notice([account]);
    let tries = 0;
    while ((await jobs()).length > 0) {
      await waited();
      await work();
      await world.db.execute(`UPDATE jobs SET attempts = attempts + 1 WHERE name = 'payees.read_account'`);
      tries += 1;
    }
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThan(10);
  });

  test('are asked about few at a time, on a rail that allows few calls a second', async () => {
    const rails = world.get(Rails);
    const traits = rails.traits('custodial_a') as NonNullable<ReturnType<Rails['traits']>>;
    const slow = jest.spyOn(rails, 'traits').mockReturnValue({ ...traits, callsPerSecond: 1 });
    const other = await world.adopt(client, await world.payee(client, { country: 'FR' }));
    await waited();
    let speak: () => void = () => undefined;
    world.rail.accountGate = new Promise<void>((resolve) => (speak = resolve));
    await notice([account, other]);
    const [first, second] = (await jobs()).map(({ entityId }) => world.work('payees.read_account', entityId));
    await Promise.race([first, second]);
    expect(world.rail.accountsRead.length).toBeLessThanOrEqual(1);
    speak();
    await Promise.all([first, second]);
    expect([world.rail.accountsRead.length, (await jobs()).length]).toEqual([1, 1]);
    slow.mockRestore();
  });

  test('too many of them, or what is no name, are refused', async () => {
    const many = Array.from({ length: 5_001 }, (_, n) => `acct_${n}`);
    for (const names of [many, ['a\0'], [''], ['x'.repeat(256)]])
      await expect(notice(names)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
