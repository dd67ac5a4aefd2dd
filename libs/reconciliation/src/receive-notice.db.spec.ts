/** Providers batch and repeat: their notices name the same payouts, and each in an order of its own. */
import { Db } from '#libs/db';
import { type MoneyWorld, accepted } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
import { NoticeReads } from './db/notice.reads';
import { ForgetOldNotices } from './use-cases/forget-old-notices';
import { ReceiveNotice } from './use-cases/receive-notice';

describe('notices of providers', () => {
  let world: MoneyWorld;
  let keys: string[];
  beforeAll(async () => {
    world = await startReconciledWorld();
    world.rail.answers = () => accepted();
    const client = await world.client();
    const payee = await world.payee(client);
    keys = [];
    for (let n = 0; n < 20; n += 1) {
      const { id, railKey } = await world.pay(client, payee);
      await world.drive(id);
      keys.push(railKey);
    }
    await world.db.execute('DELETE FROM jobs');
  });
  beforeEach(() => world.db.execute('DELETE FROM jobs'));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  let sent = 0;
  const notice = (railKeys: string[]): Promise<void> => {
    sent += 1;
    const reading = { kind: 'hints', noticeId: `notice ${sent}`, railKeys };
    Object.assign(world.rail, { readNotice: () => Promise.resolve(reading) });
    return world.get(ReceiveNotice).run('claim_rail', { headers: {}, body: Buffer.from('') });
  };
  const looks = () => world.db.rows(`SELECT FROM jobs WHERE name = 'payout.look' AND run_at <= now()`);

  test('each payout is looked at, however often it is named, and nothing comes of codes that nobody knows', async () => {
    await notice([...keys, 'nobody knows', ...keys]);
    expect(await looks()).toHaveLength(keys.length);
  });

  test('those that name the same payouts in another order never wait for each other in a circle', async () => {
    // What gives way in a deadlock is done again.
    let attempts = 0;
    const begun = Db.prototype.inTransaction;
    jest.spyOn(Db.prototype, 'inTransaction').mockImplementation(function (this: Db, work) {
      return begun.call(this, () => {
        attempts += 1;
        return work();
      }) as never;
    });
    await Promise.all(Array.from({ length: 10 }, (_, n) => notice(n % 2 ? keys : [...keys].reverse())));
    expect(attempts).toBe(10);
    expect(await looks()).toHaveLength(keys.length);
  });

  test('are put off while the key of their signature cannot be kept, and are no bad notices', async () => {
    const readNotice = (): Promise<never> =>
      world.db.inTransaction(async () => {
        await world.db.execute('SET TRANSACTION READ ONLY');
        await world.db.execute(`INSERT INTO rail_records (rail, key, value) VALUES ('claim_rail', 'key', '{}')`);
        throw new Error('It was kept.');
      });
    Object.assign(world.rail, { readNotice });
    const told = world.get(ReceiveNotice).run('claim_rail', { headers: {}, body: Buffer.from('') });
    await expect(told).rejects.toMatchObject({ name: 'DatabaseTrouble', kind: 'read_only' });
  });

  test('say when their provider called last', async () => {
    await world.db.execute('DELETE FROM rail_notices');
    const last = () => world.get(NoticeReads).lastOf(['claim_rail', 'custodial_a']);
    expect(await last()).toEqual(new Map());
    await notice(keys);
    await world.db.execute(
      `INSERT INTO rail_notices (rail, notice_id, received_at) VALUES ('claim_rail', 'old', now() - interval '1 day')`,
    );
    const [row] = await world.db.rows<{ receivedAt: Date }>(
      `SELECT received_at FROM rail_notices WHERE notice_id <> 'old'`,
    );
    expect(await last()).toEqual(new Map([['claim_rail', row?.receivedAt]]));
  });

  test('are forgotten after a month, and then count as new', async () => {
    await world.db.execute('DELETE FROM rail_notices');
    await world.db.execute(
      `INSERT INTO rail_notices (rail, notice_id, received_at)
       SELECT 'claim_rail', 'old ' || n, now() - interval '31 days' FROM generate_series(1, 10001) AS n
       UNION ALL SELECT 'claim_rail', 'young', now() - interval '29 days'`,
    );
    await world.get(ForgetOldNotices).run(new AbortController().signal);
    expect(await world.db.rows('SELECT notice_id FROM rail_notices')).toEqual([{ noticeId: 'young' }]);
  });

  test('that their rail does not read in time are to be sent again, and the rail hears that nobody waits', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    try {
      let given: AbortSignal | undefined;
      const readNotice = (_: unknown, { signal }: { signal: AbortSignal }): Promise<never> => {
        given = signal;
        return new Promise(() => undefined);
      };
      Object.assign(world.rail, { readNotice });
      const answer = world.get(ReceiveNotice).run('claim_rail', { headers: {}, body: Buffer.from('') });
      const refused = expect(answer).rejects.toMatchObject({ code: 'service_unavailable' });
      await jest.advanceTimersByTimeAsync(3_000);
      await refused;
      expect(given?.aborted).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });
});
