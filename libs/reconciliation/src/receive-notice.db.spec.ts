/** Providers batch and repeat: their notices name the same payouts, and each in an order of its own. */
import { Db } from '#libs/db';
import { type MoneyWorld, accepted } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
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
});
