/** What one client holds for long is waited for in a sweep once, and not for each of its payees: others have their turn. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import { WalletBook } from '#libs/wallets';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';

const PAYEES = 4;
/** PostgreSQL lets each wait for ten seconds. */
const TWO_WAITS_AND_MORE_MS = 25_000;
/** Whoever really holds it asks something all the time. */
const BUSY = `set_config('idle_in_transaction_session_timeout', '0', true)`;

describe('a sweep, while one client holds what all of its payouts need', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  /** Held for the cap of a day that is over: a payout of each of several payees. */
  const heldForAnotherDay = async (): Promise<Client> => {
    const client = await world.client({ prepaid: true, caps: { dailyCents: 1_000 } });
    const deposit = {
      clientId: client.id,
      type: 'deposit',
      currency: 'USD',
      amountCents: 100_000,
      note: null,
    } as const;
    await world.get(WalletBook).post({ ...deposit, reference: randomUUID() });
    for (let count = 0; count < PAYEES; count += 1) {
      const payee = await world.payee(client);
      await world.pay(client, payee, 900);
      const { statusReason } = await world.pay(client, payee, 900);
      expect(statusReason).toContain('cap_exceeded_daily');
    }
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - interval '1 day', authorized_on = authorized_on - 1 WHERE client_id = $1`,
      [client.id],
    );
    await world.db.execute(
      'UPDATE balances SET day = day - 1 WHERE payee_id IN (SELECT id FROM payees WHERE client_id = $1)',
      [client.id],
    );
    return client;
  };
  const clearedOfAnother = async (): Promise<string> => {
    const client = await world.client({ autoRelease: ['missing_name'] });
    const payee = await world.payee(client);
    await world.db.execute('UPDATE payees SET name = NULL WHERE id = $1', [payee.id]);
    const { id } = await world.pay(client, payee);
    expect(await world.payout(id)).toMatchObject({ status: 'held', statusReason: 'missing_name' });
    await world.db.execute(`UPDATE payees SET name = 'Grace Hopper' WHERE id = $1`, [payee.id]);
    return id;
  };

  // As a withdrawal of very many rows does, and as a test client's clock does.
  test.each([
    ['its wallet', `SELECT ${BUSY} FROM wallets WHERE client_id = $1 FOR NO KEY UPDATE`],
    ['its payees', `SELECT ${BUSY} FROM payees WHERE client_id = $1 FOR NO KEY UPDATE`],
  ])(
    '%s: a payout of another client goes on in it meanwhile',
    async (_, lock) => {
      const client = await heldForAnotherDay();
      const other = await clearedOfAnother();
      const letGo = await holding(world.db, lock, [client.id]);
      const sweep = world.get(SelfReleaseJobs).release();
      try {
        await Promise.race([sweep, pause(TWO_WAITS_AND_MORE_MS)]);
        expect(await world.status(other)).toBe('authorized');
      } finally {
        await letGo();
        await sweep;
      }
    },
    90_000,
  );
});
