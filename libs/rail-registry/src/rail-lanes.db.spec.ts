import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import { RailIdentity } from './rail-identity';
import { RailLanes } from './rail-lanes';

describe('the lane of a rail', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  const lanes = () => new RailLanes(scratch.db);
  const laneOf = async (rail: string) => (await lanes().closed()).find((lane) => lane.rail === rail);
  const passes = (rail: string) =>
    scratch.db.execute(`UPDATE rail_lanes SET opens_at = opens_at - interval '1 hour' WHERE rail = $1`, [rail]);

  test('is paused for as long as is asked, and the longest rest counts', async () => {
    await lanes().pause('paused', 600, 'maintenance');
    await lanes().pause('paused', 5, 'too many calls');
    expect(await laneOf('paused')).toMatchObject({ reason: 'not_now', detail: 'maintenance' });
    await passes('paused');
    expect(await laneOf('paused')).toBeUndefined();
    await lanes().pause('paused', 5, 'too many calls');
    expect(await laneOf('paused')).toMatchObject({ detail: 'too many calls' });
  });

  test('that is closed for its credentials is not opened by a rest that is over', async () => {
    await lanes().close('closed', 'credentials', 'no such key', null);
    await lanes().pause('closed', 5, 'too many calls');
    expect(await laneOf('closed')).toMatchObject({ reason: 'credentials', opensAt: null });
    await lanes().open('closed', ['not_now']);
    expect(await laneOf('closed')).toBeDefined();
    await lanes().open('closed', ['credentials']);
    expect(await laneOf('closed')).toBeUndefined();
  });

  test('counts the calls of all processes: each waits for its turn, and none for long', async () => {
    const began = (await scratch.db.row<{ at: Date }>('SELECT clock_timestamp() AS at'))?.at as Date;
    const turns = await Promise.all(Array.from({ length: 12 }, () => lanes().turn('counted', 2)));
    const given = turns.filter((wait) => wait !== null).length;
    // The last of them waits for some three seconds, whoever comes after that is told to come again.
    expect(given).toBeGreaterThanOrEqual(6);
    expect(turns).toContain(null);
    // Each has half a second of its own.
    const row = await scratch.db.row<{ nextAt: Date }>(`SELECT next_at FROM rail_turns WHERE rail = 'counted'`);
    expect((row?.nextAt.getTime() ?? 0) - began.getTime()).toBeGreaterThanOrEqual(given * 500 - 1);
  });

  test('goes on if the clock of the database was set back: no turn is further ahead than anybody waits for', async () => {
    await lanes().turn('jumped', 2);
    await scratch.db.execute(`UPDATE rail_turns SET next_at = next_at + interval '1 hour' WHERE rail = 'jumped'`);
    expect(await lanes().turn('jumped', 2)).toBe(0);
    expect(await lanes().turn('jumped', 2)).toBeGreaterThan(0);
  });

  describe('of a rail that tells whose credentials it has', () => {
    const works = (account: string, mode: 'live' | 'sandbox' = 'live') => ({ kind: 'works', account, mode }) as const;

    test('is bound to the first account, and closed for any other one, in whatever process', async () => {
      const first = new RailIdentity(scratch.db, lanes());
      expect(await first.judge('bound', works('acct_1'))).toBe(true);
      expect(await first.isKnown('bound')).toBe(true);
      const other = new RailIdentity(scratch.db, lanes());
      expect(await other.judge('bound', works('acct_2'))).toBe(false);
      expect(await other.isKnown('bound')).toBe(false);
      expect(await laneOf('bound')).toMatchObject({
        reason: 'other_account',
        detail: 'bound to acct_1 (live), speaks to acct_2 (live)',
      });
      expect(await other.judge('bound', works('acct_1', 'sandbox'))).toBe(false);
      expect(await other.judge('bound', works('acct_1'))).toBe(true);
      expect(await laneOf('bound')).toBeUndefined();
    });

    test('opens for another account once an admin says so', async () => {
      const identity = new RailIdentity(scratch.db, lanes());
      await identity.judge('moved', works('old'));
      await identity.judge('moved', works('new'));
      await identity.rebind('moved', works('new'));
      expect(await laneOf('moved')).toBeUndefined();
      expect(await identity.judge('moved', works('new'))).toBe(true);
      expect(await identity.bound('moved')).toMatchObject({ account: 'new', mode: 'live' });
    });

    test('is not used any more by a process that has the credentials of before, as soon as another one is bound', async () => {
      const before = new RailIdentity(scratch.db, lanes());
      await before.judge('rebound', works('old'));
      await new RailIdentity(scratch.db, lanes()).rebind('rebound', works('new'));
      expect(await before.isKnown('rebound')).toBe(false);
      // Nor if its provider cannot tell just then.
      expect(await before.judge('rebound', { kind: 'unknown', detail: 'away' })).toBe(false);
      expect(await before.judge('rebound', works('old'))).toBe(false);
      await new RailIdentity(scratch.db, lanes()).rebind('rebound', works('old', 'sandbox'));
      expect(await before.isKnown('rebound')).toBe(false);
    });

    test('is not bound anew by a process that sleeps before it commits: what others send meanwhile goes to the one before', async () => {
      const identity = new RailIdentity(scratch.db, lanes());
      await identity.judge('asleep', works('old'));
      let undone: object | null = null;
      const asleep = scratch.db.inTransaction(async () => {
        await identity.rebind('asleep', works('new'));
        undone = await scratch.db.row(IS_UNDONE_IN_TIME);
        const { pid } = (await scratch.db.row<{ pid: number }>('SELECT pg_backend_pid() AS pid')) ?? { pid: 0 };
        const isThere = () => scratch.db.row('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
        while (await scratch.db.outsideTransaction(isThere)) await new Promise((resolve) => setImmediate(resolve));
      });
      await expect(asleep).rejects.toThrow();
      // While what is sent meanwhile still counts as sent with the one before.
      expect(undone).toEqual({ inTime: true });
      expect(await identity.bound('asleep')).toMatchObject({ account: 'old' });
    });

    test('is used on with what was known if its provider cannot tell for a moment', async () => {
      const identity = new RailIdentity(scratch.db, lanes());
      await identity.judge('blinks', works('acct'));
      expect(await identity.judge('blinks', { kind: 'unknown', detail: 'away' })).toBe(true);
      expect(await identity.judge('blinks', { kind: 'rejected', detail: 'no such key' })).toBe(false);
      expect(await identity.judge('blinks', { kind: 'unknown', detail: 'away' })).toBe(false);
    });

    test('that verifies, and refuses what is sent for them, meets one payout in a minute and not all of them', async () => {
      const identity = new RailIdentity(scratch.db, lanes());
      await identity.judge('restricted', works('acct'));
      await identity.refused('restricted', 'this key may not pay out');
      expect(await identity.judge('restricted', works('acct'))).toBe(true);
      expect(await laneOf('restricted')).toMatchObject({ reason: 'credentials', detail: 'this key may not pay out' });
      await passes('restricted');
      expect(await laneOf('restricted')).toBeUndefined();
      await identity.refused('restricted', 'this key may not pay out');
      expect(await laneOf('restricted')).toBeDefined();
    });

    test('is closed while the provider rejects them, and stays as it is while nobody can tell', async () => {
      const identity = new RailIdentity(scratch.db, lanes());
      await identity.judge('rejected', { kind: 'rejected', detail: 'no such key' });
      expect(await laneOf('rejected')).toMatchObject({ reason: 'credentials', detail: 'no such key' });
      expect(await identity.judge('rejected', { kind: 'unknown', detail: 'away' })).toBe(false);
      expect(await laneOf('rejected')).toBeDefined();
      await identity.judge('rejected', works('acct'));
      expect(await laneOf('rejected')).toBeUndefined();
    });
  });
});

const IS_UNDONE_IN_TIME = `
  SELECT current_setting('idle_in_transaction_session_timeout')::interval < rebound_at - clock_timestamp() AS in_time
  FROM rail_accounts WHERE rail = 'asleep'`;
